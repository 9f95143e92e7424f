import type { ProviderEvent } from '../providers/events.ts'

/** What several events say together about one delivery; the same in whatever order they came. Times as text. */
type Facts = {
  /** The earliest that proves that the provider has the mail. */
  confirmedAt: string | null
  deliveredAt: string | null
  complainedAt: string | null
  openedAt: string | null
  /** A fetch by a machine is nobody's reading, but it is told. */
  machineOpenedAt: string | null
  clickedAt: string | null
  unsubscribedAt: string | null
  /** What brought it back; of several the worst, and of those the first. */
  return: Return | null
}
type Return = { rank: number; at: string; words: string | null }

/**
 * The worst is told, whichever comes first: there is no such mailbox, before it could be another time, before the mail
 * itself, before a provider that did not even try.
 */
const RANKS: Readonly<Record<string, number>> = {
  failed: 1,
  'bounced message': 2,
  'bounced soft': 3,
  'bounced hard': 4,
}

/** One word for what happened. */
export function nameOf(event: ProviderEvent): string {
  switch (event.kind) {
    case 'bounced':
      return `bounced ${event.bounce}`
    case 'opened':
    case 'clicked':
      return event.isMachine ? `${event.kind} by machine` : event.kind
    default:
      return event.kind
  }
}

/** The database keeps no NUL; the rest is kept as it was said. */
export const storable = (words: string | null): string | null => words?.replaceAll('\0', '') ?? null

/** `isOwn`: we have seen it ourselves, and no provider has told it. */
export function factsOf(events: readonly ProviderEvent[], isOwn: boolean): Facts {
  const first = new Map<string, string>()
  let worst: Return | null = null
  let confirmedAt: string | null = null
  for (const event of events) {
    const name = nameOf(event)
    const at = event.at.toISOString()
    const known = first.get(name)
    if (known === undefined || at < known) first.set(name, at)
    // A server may look through a mail before it refuses it, and fetch the picture.
    const isProof = !isOwn || name !== 'opened by machine'
    if (isProof && (confirmedAt === null || at < confirmedAt)) confirmedAt = at
    const rank = RANKS[name]
    if (rank !== undefined) worst = worseOf(worst, { rank, at, words: storable(event.words) })
  }
  const at = (name: string): string | null => first.get(name) ?? null
  return {
    confirmedAt,
    deliveredAt: at('delivered'),
    complainedAt: at('complained'),
    openedAt: at('opened'),
    machineOpenedAt: at('opened by machine'),
    clickedAt: at('clicked'),
    unsubscribedAt: at('unsubscribed'),
    return: worst,
  }
}

function worseOf(a: Return | null, b: Return): Return {
  if (a === null || b.rank !== a.rank) return a === null || b.rank > a.rank ? b : a
  if (b.at !== a.at) return b.at < a.at ? b : a
  return (b.words ?? '') < (a.words ?? '') ? b : a
}

import { Refusal } from './telegram-refusal.ts'

export type Entity = {
  type: string
  offset: number
  length: number
  url?: string | undefined
  language?: string | undefined
}
export type Formatted = { text: string; entities: Entity[] }

/** What each tag makes; there are no others. */
const TAGS: Readonly<Record<string, string>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  code: 'code',
  pre: 'pre',
  a: 'text_link',
  blockquote: 'blockquote',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
}
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }
/** What follows the hundredth is shown without its format. */
const ENTITIES_MAX = 100

type Open = { tag: string; entity: Entity; attributes: ReadonlyMap<string, string> }

/** Reads Telegram's HTML as Telegram does: whatever it does not know is refused, with the place in bytes. */
export function parseHtml(source: string): Formatted {
  let text = ''
  const entities: Entity[] = []
  const open: Open[] = []
  let at = 0
  while (at < source.length) {
    if (source[at] !== '<') {
      const next = source.indexOf('<', at)
      const end = next === -1 ? source.length : next
      text += decoded(source.slice(at, end))
      at = end
      continue
    }
    const tag = source[at + 1] === '/' ? readEnd(source, at, open.at(-1)) : readStart(source, at)
    if (tag.kind === 'start') {
      const offset = text.length
      open.push({
        tag: tag.name,
        attributes: tag.attributes,
        entity: { ...entityOf(tag), offset, length: 0 },
      })
    } else {
      const done = open.pop()
      if (done) entities.push(...closed(done, text.length, entities))
    }
    at = tag.end
  }
  const left = open.at(-1)
  if (left) refuse(`Can't find end tag corresponding to start tag "${left.tag}"`)
  return trimmed({ text, entities })
}

type Start = { kind: 'start'; name: string; attributes: ReadonlyMap<string, string>; end: number; at: number }

const refuse = (why: string): never => {
  throw new Refusal(400, `Bad Request: can't parse entities: ${why}`)
}

const bytesBefore = (source: string, at: number): number => Buffer.byteLength(source.slice(0, at))

/** `name`, `name=value`, `name="value"` or `name='value'`. */
const ATTRIBUTE = /^\s+([a-z0-9.-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([a-z0-9.-]+)))?/i

function readStart(source: string, at: number): Start {
  const place = bytesBefore(source, at)
  const name = (/^[^\s>]*/.exec(source.slice(at + 1))?.[0] ?? '').toLowerCase()
  if (at + 1 + name.length >= source.length) refuse(`Unclosed start tag at byte offset ${place}`)
  if (!(name in TAGS)) refuse(`Unsupported start tag "${name}" at byte offset ${place}`)
  const attributes = new Map<string, string>()
  let rest = source.slice(at + 1 + name.length)
  for (let found = ATTRIBUTE.exec(rest); found; found = ATTRIBUTE.exec(rest)) {
    attributes.set((found[1] ?? '').toLowerCase(), decoded(found[2] ?? found[3] ?? found[4] ?? ''))
    rest = rest.slice(found[0].length)
  }
  const close = /^\s*>/.exec(rest)
  if (!close) refuse(`Unclosed start tag at byte offset ${place}`)
  if (name === 'span' && attributes.get('class') !== 'tg-spoiler')
    refuse(`Tag "span" must have class "tg-spoiler" at byte offset ${place}`)
  return { kind: 'start', name, attributes, at, end: source.length - rest.length + (close?.[0].length ?? 0) }
}

function readEnd(source: string, at: number, open: Open | undefined): { kind: 'end'; end: number } {
  const place = bytesBefore(source, at)
  if (!open) refuse(`Unexpected end tag at byte offset ${place}`)
  const found = /^<\/([^\s>]*)\s*>/.exec(source.slice(at))
  if (!found) refuse(`Unclosed end tag at byte offset ${place}`)
  const name = (found?.[1] ?? '').toLowerCase()
  if (name !== '' && name !== open?.tag)
    refuse(`Unmatched end tag at byte offset ${place}, expected "</${open?.tag}>", found "</${name}>"`)
  return { kind: 'end', end: at + (found?.[0].length ?? 0) }
}

function entityOf({ name, attributes }: Start): Omit<Entity, 'offset' | 'length'> {
  const type = TAGS[name] ?? ''
  if (name === 'a') return { type, url: attributes.get('href') ?? '' }
  if (name === 'blockquote' && attributes.has('expandable')) return { type: 'expandable_blockquote' }
  const language = name === 'code' ? /^language-(.+)$/.exec(attributes.get('class') ?? '')?.[1] : undefined
  return language === undefined ? { type } : { type, language }
}

/** What is empty, leads nowhere, or stands inside code, where nothing has a format, is no entity. */
function closed({ tag, entity, attributes }: Open, end: number, inner: Entity[]): Entity[] {
  const length = end - entity.offset
  if (tag === 'pre' || tag === 'code') {
    const within = inner.filter(({ offset }) => offset >= entity.offset)
    const language = within.find((one) => one.type === 'code' && one.length === length)?.language
    for (const one of within) inner.splice(inner.indexOf(one), 1)
    if (length === 0) return []
    return [{ ...entity, length, ...(tag === 'pre' && language !== undefined ? { language } : {}) }]
  }
  if (length === 0) return []
  if (tag === 'a' && !isWebAddress(attributes.get('href') ?? '')) return []
  return [{ ...entity, length }]
}

/** A host without a dot, such as localhost, is none for Telegram. */
export function isWebAddress(text: string): boolean {
  if (/^tg:\/\//i.test(text)) return true
  const whole = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `http://${text}`
  const url = URL.parse(whole)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname.includes('.')
}

/** Four names and numbers; everything else stays as it is written. */
const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(lt|gt|amp|quot));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name)] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

/** Blanks at both ends are not sent. */
export function trimmed({ text, entities }: Formatted): Formatted {
  const kept = text.trim()
  const cut = text.length - text.trimStart().length
  return {
    text: kept,
    // Of two that span the same the outer one was closed last.
    entities: entities
      .toReversed()
      .map((entity) => {
        const from = Math.max(0, entity.offset - cut)
        const to = Math.min(kept.length, entity.offset - cut + entity.length)
        return { ...entity, offset: from, length: to - from }
      })
      .filter(({ length }) => length > 0)
      .sort((one, other) => one.offset - other.offset || other.length - one.length)
      .slice(0, ENTITIES_MAX),
  }
}

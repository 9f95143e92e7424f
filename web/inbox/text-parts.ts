import { shownText } from './shown-text.ts'

/** What somebody wrote themselves, or the words of others that they quote. */
export type TextBlock = { kind: 'own' | 'quoted'; text: string; isFolded: boolean }

const QUOTED = /^\s*>/
/** "On Tuesday Ann wrote:", in whichever language: a line that ends in a colon right above a quotation. */
const ANNOUNCING = /:\s*$/
/** Words between dashes, or a rule. The dashes are told from the words, so that a long row of them is read once. */
const ORIGINAL = /^(?:-{2,}(?!-).{3,60}(?<!-)-{2,}|-{7,}|_{10,})$/
/** As Outlook writes it above what it answers, without marking the lines themselves. */
const HEADERS = /^\s*\*?(?:From|Von|De|Da|Van|Från|Fra|Od|От|差出人|发件人)\s?:/

/** So much of a quotation is read at a glance, between the lines that answer it. */
const SHORT = 3

/** Takes a text apart into what is new in it and what it only repeats. */
export function blocksOf(raw: string): TextBlock[] {
  const lines = shownText(raw).split('\n')
  const original = lines.findIndex(
    (line, index) => ORIGINAL.test(line.trim()) && HEADERS.test(nextOf(lines, index) ?? ''),
  )
  const end = original < 0 ? lines.length : original
  const blocks = quotationsOf(lines.slice(0, end))
  if (original >= 0) blocks.push({ kind: 'quoted', text: lines.slice(original).join('\n'), isFolded: true })
  return blocks
    .map((block, index) => ({ ...block, isFolded: isFolded(block, index === blocks.length - 1) }))
    .filter(({ text }) => text.trim() !== '')
}

/** The text without what it only repeats. */
export const ownWords = (raw: string): string =>
  blocksOf(raw)
    .filter(({ kind }) => kind === 'own')
    .map(({ text }) => text)
    .join('\n')
    .trim()

const isFolded = ({ kind, text }: TextBlock, isLast: boolean): boolean =>
  kind === 'quoted' && (isLast || text.split('\n').length > SHORT)

const nextOf = (lines: readonly string[], index: number): string | undefined =>
  lines.slice(index + 1, index + 4).find((line) => line.trim() !== '')

function quotationsOf(lines: readonly string[]): TextBlock[] {
  const blocks: { kind: TextBlock['kind']; lines: string[] }[] = []
  for (const line of lines) {
    const last = blocks.at(-1)
    // An empty line between two quotations parts nothing.
    const kind = QUOTED.test(line) || (line.trim() === '' && last?.kind === 'quoted') ? 'quoted' : 'own'
    if (last?.kind === kind) last.lines.push(line)
    else blocks.push({ kind, lines: [...(kind === 'quoted' ? announcementOf(last?.lines) : []), line] })
  }
  return blocks.map(({ kind, lines: own }) => ({ kind, text: trimmed(own.join('\n')), isFolded: false }))
}

/** Moves the line that announces a quotation, which may be broken in two, from the text above into it. */
function announcementOf(above: string[] | undefined): string[] {
  if (!above) return []
  const last = above.findLastIndex((line) => line.trim() !== '')
  if (last < 0 || !ANNOUNCING.test(above[last] ?? '')) return []
  const isBroken = last > 0 && (above[last - 1] ?? '').trim() !== '' && /\d/.test(above[last - 1] ?? '')
  return above.splice(isBroken ? last - 1 : last)
}

/** Without the empty lines around it. */
const trimmed = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, '').trimEnd()

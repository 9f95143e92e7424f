import { cut, oneLine } from './clean-text.ts'
import { isAttribution, isHeaderBlock, isOriginalMark } from './quote-marks.ts'

const PREVIEW_MAX = 200
/** What its author wrote begins within this, or not at all. */
const LOOKED_AT = 20_000

const QUOTED = /^\s{0,3}>/
const SIGNATURE = /^-- ?$/
const RULER = /^_{20,}\s*$/

/** The beginning of what its author wrote, in one line: without what is quoted, announced or signed. */
export function previewOf(text: string): string {
  const lines = cut(text, LOOKED_AT).split('\n')
  const all = () => lines.map((line) => line.replace(/^[>\s]{1,100}/, ''))
  return oneLine(authored(lines).join(' '), PREVIEW_MAX) || oneLine(all().join(' '), PREVIEW_MAX)
}

function authored(lines: string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (isEnd(line, lines.slice(at + 1, at + 4))) break
    if (QUOTED.test(line) || isAttribution(line)) continue
    // Folded at 76 characters, the announcement of a quote takes two lines.
    const next = lines[at + 1] ?? ''
    if (line.trim() !== '' && !isAttribution(next) && isAttribution(`${line} ${next}`)) at += 1
    else kept.push(line)
  }
  return kept
}

/** Below this stands what is answered, or the same words as under every mail. */
const isEnd = (line: string, following: string[]): boolean =>
  SIGNATURE.test(line) || RULER.test(line) || isOriginalMark(line) || isHeaderBlock(line, following)

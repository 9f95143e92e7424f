const WHOLE_LINE = /^[A-Za-z0-9+/]*={0,2}$/

/**
 * Base64 in which a byte was damaged or lost, so that this costs one line and not everything behind it: decoders leave
 * out what they do not know, and from there on all groups of four are the wrong ones. As it was where nothing is wrong,
 * or where lines do not end with groups.
 */
export function mendedBase64(body: Buffer): Buffer {
  const lines = body.toString('latin1').split('\n')
  const last = lines.findLastIndex((line) => line.trim() !== '')
  const isMended = lines.some((line, place) => place < last && isBroken(line.trimEnd()))
  if (!isMended || usualLength(lines) % 4 !== 0) return body
  const mended = lines.map((line, place) => (place < last ? mendedLine(line.trimEnd()) : line))
  return Buffer.from(mended.join('\n'), 'latin1')
}

function usualLength(lines: string[]): number {
  const counts = new Map<number, number>()
  for (const line of lines.slice(0, 1_000)) {
    const { length } = line.trimEnd()
    counts.set(length, (counts.get(length) ?? 0) + 1)
  }
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0]
}

const isBroken = (line: string): boolean => line.length % 4 !== 0 || !WHOLE_LINE.test(line)

function mendedLine(line: string): string {
  if (!isBroken(line)) return line
  // A damaged byte keeps its place; where one is missing or too many, the end of the line is given up.
  const known = line.replace(/[^A-Za-z0-9+/]/g, line.length % 4 === 0 ? 'A' : '')
  return known.slice(0, known.length - (known.length % 4))
}

/** Joins the lines of a text that was cut to be sent (RFC 3676): only such as are quoted equally often. */
export function unflowed(text: string, deletesSpace: boolean): string {
  const pieces: string[] = []
  /** How often the line is quoted that the next one may go on with; null for one that has ended. */
  let flowing: number | null = null
  for (const line of text.split(/\r?\n/)) {
    const { depth, words } = read(line)
    // Some programs quote with blanks in between, `> > `: how often such a line is quoted cannot be told for sure.
    const mayFlow = words !== '' && words !== SIGNATURE && !words.startsWith('>')
    if (flowing === depth && mayFlow) pieces.push(deletesSpace ? '' : ' ')
    else pieces.push(pieces.length === 0 ? '' : '\n', '>'.repeat(depth), depth > 0 && words !== '' ? ' ' : '')
    const isCut = mayFlow && words.endsWith(' ')
    pieces.push(isCut ? words.slice(0, -1) : words)
    flowing = isCut ? depth : null
  }
  return pieces.join('')
}

const SIGNATURE = '-- '

/** A blank at the beginning keeps a line from being taken for a quoted one, and belongs to nobody's words. */
function read(line: string): { depth: number; words: string } {
  const depth = /^>*/.exec(line)?.[0].length ?? 0
  const start = line[depth] === ' ' ? depth + 1 : depth
  return { depth, words: line.slice(start) }
}

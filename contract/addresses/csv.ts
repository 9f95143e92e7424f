const DELIMITERS = [',', ';', '\t', '|'] as const

/** The sign that stands most often in the first line, outside quotation marks. */
function delimiterOf(text: string): string {
  const end = text.search(/[\r\n]/)
  const line = (end < 0 ? text : text.slice(0, end)).replace(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((sign) => line.split(sign).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

/** The rows of a CSV text, one at a time; a quoted cell may hold delimiters, line breaks and doubled quotes. */
export function* rowsOf(text: string, delimiter = delimiterOf(text)): Generator<string[]> {
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    const cell = text.charAt(at) === '"' ? quotedCell(text, at) : plainCell(text, at, delimiter)
    row.push(cell.value)
    at = cell.end
    if (text.charAt(at) === delimiter) {
      at += 1
      if (at < text.length) continue
      row.push('')
    }
    yield row
    row = []
    while (at < text.length && /[\r\n]/.test(text.charAt(at))) at += 1
  }
}

function plainCell(text: string, start: number, delimiter: string): { value: string; end: number } {
  let end = start
  while (end < text.length) {
    const sign = text.charAt(end)
    if (sign === delimiter || sign === '\n' || sign === '\r') break
    end += 1
  }
  return { value: text.slice(start, end).trim(), end }
}

function quotedCell(text: string, start: number): { value: string; end: number } {
  let value = ''
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    // Never closed: whoever wrote the file meant the rest of it.
    if (quote < 0) return { value: value + text.slice(from), end: text.length }
    value += text.slice(from, quote)
    if (text.charAt(quote + 1) !== '"') return { value: value.trim(), end: quote + 1 }
    value += '"'
    from = quote + 2
  }
}

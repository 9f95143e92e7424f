import type { Item } from './history.ts'

const COLUMNS = [
  'address',
  'state',
  'reason',
  'attempts',
  'messageId',
  'acceptedAt',
  'deliveredAt',
  'bouncedAt',
  'complainedAt',
  'openedAt',
] as const satisfies readonly (keyof Item)[]

/** RFC 4180: the first line names the columns. */
export async function* toCsv(pages: AsyncIterable<readonly Item[]>): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`
  for await (const page of pages)
    yield page.map((item) => `${COLUMNS.map((column) => cell(column, item[column])).join(',')}\r\n`).join('')
}

function cell(column: keyof Item, value: Item[keyof Item]): string {
  if (value === null) return ''
  const text = value instanceof Date ? value.toISOString() : String(value)
  const plain = isFormula(column, text) ? ` ${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** A mail server's words, or an address that somebody chose with care, could be a command to a spreadsheet. */
const isFormula = (column: keyof Item, text: string): boolean =>
  (column === 'reason' && /^[=+\-@\t\r]/.test(text)) || (column === 'address' && /^[=+-].*\|/.test(text))

/** RFC 4180. `isForeign` marks what somebody else wrote: a mail server's words could be a command to a spreadsheet. */
type Cell = { value: string | number | Date | null; isForeign?: boolean }

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`

function cellText({ value, isForeign = false }: Cell): string {
  if (value === null) return ''
  const text = value instanceof Date ? value.toISOString() : String(value)
  const plain = isForeign && /^[=+\-@\t\r]/.test(text) ? ` ${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** An address that was chosen with care can be a command too; ordinary ones may begin with a sign and stay as they are. */
export const isCommandLike = (address: string): boolean => /^[=+-].*\|/.test(address)

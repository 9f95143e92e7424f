import { csvLine, isCommandLike } from '../platform/csv.ts'
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
  'providerId',
] as const satisfies readonly (keyof Item)[]

/** The first line names the columns. */
export async function* toCsv(pages: AsyncIterable<readonly Item[]>): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map((value) => ({ value })))
  for await (const page of pages) yield page.map(lineOf).join('')
}

const lineOf = (item: Item): string =>
  csvLine(
    COLUMNS.map((column) => ({
      value: item[column],
      isForeign:
        column === 'reason' ||
        column === 'providerId' ||
        (column === 'address' && isCommandLike(item.address)),
    })),
  )

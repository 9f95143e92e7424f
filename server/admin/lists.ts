/** As many rows as are held at once. */
export const PAGE = 500

/** All rows of a query that gives them page by page, each behind the key that the one before ended with. */
export async function* paged<Row extends { key: string }>(
  page: (after: string) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let after = ''
  for (;;) {
    const rows = await page(after)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.key
  }
}

/** A line of a list: for eyes, and for `cut` and `awk`. */
export const line = (...cells: (string | number)[]): string => cells.join('\t')

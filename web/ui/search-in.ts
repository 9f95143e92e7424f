/** What somebody searches for by the address of the page: no more than the server takes, and nothing that it refuses. */
export const searchIn = (query: URLSearchParams, lengthMax: number): string =>
  (query.get('q') ?? '').replaceAll('\0', '').slice(0, lengthMax)

/** What a reverse proxy says of whoever calls: the last entry is the caller. */
export const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

let addresses = 0
/** Somewhere that nobody has called from yet. */
export const someAddress = (): string => `198.51.100.${++addresses}`

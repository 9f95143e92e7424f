/** What of a name may stand before an address as it is; anything else needs quotes, as it did when it was typed. */
const UNQUOTED = /^[^"(),:;<>@[\\\]]*$/

/** As somebody would type it, so that it is read back as the same recipient. */
export function asTyped({ name, address }: { name: string; address: string }): string {
  if (name === '') return address
  const shown = UNQUOTED.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`
  return `${shown} <${address}>`
}

/** `{"recipients": […]}` piece by piece: a list of any length is never a text as a whole. */
export async function* toRecipientsJson(pages: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let before = '{"recipients":['
  for await (const page of pages) {
    if (page.length === 0) continue
    yield before + JSON.stringify(page).slice(1, -1)
    before = ','
  }
  yield before === ',' ? ']}' : `${before}]}`
}

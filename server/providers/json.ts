/** Others may send anything. Null where it is no JSON, which tells a reader just as little. */
export function asJson(text: string | Buffer): unknown {
  try {
    return JSON.parse(text.toString())
  } catch {
    return null
  }
}

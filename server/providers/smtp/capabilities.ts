/** What a relay said in answer to EHLO that it can do. */
export type Capabilities = {
  pipelining: boolean
  eightBit: boolean
  smtpUtf8: boolean
  startTls: boolean
  /** The largest message in bytes; null where it names none. */
  sizeMax: number | null
  /** Whether MAIL may announce the size. */
  size: boolean
  signIn: ReadonlySet<string>
}

/** One that knows only HELO. */
export const NO_CAPABILITIES: Capabilities = {
  pipelining: false,
  eightBit: false,
  smtpUtf8: false,
  startTls: false,
  sizeMax: null,
  size: false,
  signIn: new Set(),
}

/** Reads the text of an EHLO reply: its first line is a greeting, each other one a keyword with parameters. */
export function readCapabilities(text: string): Capabilities {
  const offered = new Map<string, string[]>()
  for (const line of text.split('\n').slice(1)) {
    // `AUTH=LOGIN` is how servers wrote it before the standard, and some still write both.
    const [keyword = '', ...parameters] = line.trim().toUpperCase().split(/[ =]+/)
    offered.set(keyword, [...(offered.get(keyword) ?? []), ...parameters])
  }
  // 0 means that there is no fixed limit.
  const size = Number(offered.get('SIZE')?.[0] ?? 0)
  return {
    pipelining: offered.has('PIPELINING'),
    eightBit: offered.has('8BITMIME'),
    smtpUtf8: offered.has('SMTPUTF8'),
    startTls: offered.has('STARTTLS'),
    sizeMax: Number.isSafeInteger(size) && size > 0 ? size : null,
    size: offered.has('SIZE'),
    signIn: new Set(offered.get('AUTH')),
  }
}

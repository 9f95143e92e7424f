import type { BrowserContext, ConsoleMessage, Request } from 'playwright-core'

/**
 * What nobody looks at during a journey and yet must not happen: errors of the page, complaints in the console (every
 * violation of the content security policy is one), requests to anyone but ourselves.
 */
export type Watch = {
  /** Says beforehand that calls to this path are meant to fail; one that then does not is a complaint too. */
  expectRefusal(path: string): void
  /** Says that they may. */
  allowRefusal(path: string): void
  /** Says that the server goes away for a while: a page that asks meanwhile, for anything, finds nobody. */
  allowAbsence(): void
  /** Says that somebody asks for pictures of this host. */
  allowHost(origin: string): void
  complaints(): Promise<string[]>
  /** What a page has asked for and not got yet. */
  unanswered(): string[]
}

/** The one refusal that belongs to every visit: this is how the application learns that nobody is signed in. */
const SESSION = '/api/auth/session'

/** How Chromium says that nobody answered, that the answer was cut off, or that it is not connected at all. */
const ABSENCE =
  /net::ERR_(?:CONNECTION_(?:REFUSED|RESET|CLOSED)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|INTERNET_DISCONNECTED)|status of 503/

export function watch(context: BrowserContext, origin: string): Watch {
  const complaints: string[] = []
  const expected = new Map<string, number>()
  const hosts = new Set([origin])
  const open = new Set<Request>()
  let mayBeAway = false

  context.on('weberror', (error) => void complaints.push(`page error: ${error.error().stack}`))
  context.on('console', (message) => {
    if (message.type() !== 'error') return
    const path = failedResource(message)
    if (path === SESSION || (mayBeAway && ABSENCE.test(message.text()))) return
    const times = path === null ? undefined : expected.get(path)
    if (path !== null && times !== undefined) expected.set(path, times + 1)
    else complaints.push(`console error: ${message.text()} (${message.location().url})`)
  })
  context.on('requestfinished', (request) => void open.delete(request))
  context.on('requestfailed', (request) => void open.delete(request))
  context.on('request', (request) => {
    open.add(request)
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && !hosts.has(url.origin))
      complaints.push(`request to a foreign host: ${request.method()} ${url.href}`)
  })

  return {
    expectRefusal: (path) => void expected.set(path, 0),
    allowRefusal: (path) => void expected.set(path, 1),
    allowAbsence: () => {
      mayBeAway = true
    },
    allowHost: (host) => void hosts.add(host),
    unanswered: () => [...open].map((request) => `${request.method()} ${request.url()}`),
    async complaints() {
      // An answer from the page comes after everything that the page said before.
      for (const page of context.pages()) await page.evaluate('0').catch(() => {})
      const unfulfilled = [...expected].filter(([, times]) => times === 0)
      return [...complaints, ...unfulfilled.map(([path]) => `${path} was meant to fail and did not`)]
    },
  }
}

function failedResource(message: ConsoleMessage): string | null {
  const { url } = message.location()
  const isFailure = message.text().startsWith('Failed to load resource:')
  return isFailure && URL.canParse(url) ? new URL(url).pathname : null
}

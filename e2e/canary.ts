import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { onLoopback } from '../server/test/loopback.ts'

/** Somebody else's server: whoever calls it has been made to. */
type Canary = AsyncDisposable & { origin: string; calls: string[] }

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

export async function aCanary(): Promise<Canary> {
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'image/gif', 'cross-origin-resource-policy': 'cross-origin' })
    response.end(PIXEL)
  })
  const { url, close } = await onLoopback(server)
  return { origin: url.origin, calls, [Symbol.asyncDispose]: close }
}

/** Counts what no mail may do. */
export function guard(page: Page): { dialogs: string[]; popups: string[] } {
  const seen: { dialogs: string[]; popups: string[] } = { dialogs: [], popups: [] }
  page.on('dialog', (dialog) => {
    seen.dialogs.push(dialog.message())
    // Its page may be closing.
    dialog.dismiss().catch(() => {})
  })
  page.on('popup', (popup) => void seen.popups.push(popup.url()))
  return seen
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'

/** Somebody else's server: whoever calls it has been made to. */
export type Canary = AsyncDisposable & { origin: string; calls: string[] }

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

export async function aCanary(): Promise<Canary> {
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'image/gif', 'cross-origin-resource-policy': 'cross-origin' })
    response.end(PIXEL)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Counts what no mail may do. */
export function guard(page: Page): { dialogs: string[]; popups: string[] } {
  const seen: { dialogs: string[]; popups: string[] } = { dialogs: [], popups: [] }
  page.on('dialog', (dialog) => {
    seen.dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('popup', (popup) => void seen.popups.push(popup.url()))
  return seen
}

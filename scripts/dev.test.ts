import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer as createVite, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const BY_THE_SERVER = 'by the server'

const server = createServer((_request, response) => response.end(BY_THE_SERVER))
const cacheDir = mkdtempSync(join(tmpdir(), 'vite-'))
let vite: ViteDevServer
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  vi.stubEnv('POSTRIDER_SERVER', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  vi.stubEnv('NODE_ENV', 'development')
  vite = await createVite({
    configFile: join(ROOT, 'vite.config.ts'),
    root: join(ROOT, 'web'),
    cacheDir,
    logLevel: 'silent',
    optimizeDeps: { noDiscovery: true },
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
  })
  await vite.listen()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await vite.close()
  server.close()
  rmSync(cacheDir, { recursive: true })
})

async function answeredBy(path: string): Promise<'server' | 'vite'> {
  const answer = await fetch(new URL(path, vite.resolvedUrls?.local[0]))
  return (await answer.text()) === BY_THE_SERVER ? 'server' : 'vite'
}

describe('in development', () => {
  it.each([
    '/api/auth/session',
    '/api/email-history?q=notes.ts',
    '/api/openapi.json',
    '/local-mailbox',
    '/local-mailbox/messages',
    '/healthz',
    '/readyz',
    '/metrics',
    '/t/token.gif',
    '/u/token',
  ])('the server answers at %s, as letters and pages expect', async (path) => {
    expect(await answeredBy(path)).toBe('server')
  })

  it.each([
    '/',
    '/templates',
    '/settings',
    '/suppressions',
    '/main.tsx',
    '/ui/button.tsx',
    '/api/auth.ts',
    '/api/client.ts?t=1700000000000',
  ])('Vite answers at %s, a screen or a file of the web', async (path) => {
    expect(await answeredBy(path)).toBe('vite')
  })
})

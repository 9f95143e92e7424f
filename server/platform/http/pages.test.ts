import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { servePages } from './pages.ts'

const FILES = {
  'index.html': '<script nonce="__CSP_NONCE__"></script>',
  'theme.js': 'plain theme',
  'theme.js.br': 'theme as brotli',
  'theme.js.gz': 'theme as gzip',
  'assets/font-1a2b.woff2': 'a font',
  'assets/index-3c4d.js': 'plain index',
  'assets/index-3c4d.js.gz': 'index as gzip',
}

let folder: string
let app: FastifyInstance
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-pages-'))
  await mkdir(join(folder, 'assets'))
  for (const [name, content] of Object.entries(FILES)) await writeFile(join(folder, name), content)
  app = Fastify()
  await servePages(app, folder)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

describe('a built file', () => {
  it.each([
    ['/theme.js', 'gzip, deflate, br, zstd', 'br', 'theme as brotli'],
    ['/theme.js', 'gzip', 'gzip', 'theme as gzip'],
    ['/theme.js', '', undefined, 'plain theme'],
    ['/assets/index-3c4d.js', 'br, gzip', 'gzip', 'index as gzip'],
    ['/assets/font-1a2b.woff2', 'br, gzip', undefined, 'a font'],
  ])('%s for whoever reads "%s" comes as %s', async (path, accepted, encoding, body) => {
    const answer = await get(path, { 'accept-encoding': accepted })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(answer.headers.vary).toBe('accept-encoding')
    expect(answer.body).toBe(body)
  })

  it('is kept for good when its name changes with it, and asked for again when not', async () => {
    const named = await get('/assets/index-3c4d.js')
    expect(named.headers['cache-control']).toContain('immutable')
    const theme = await get('/theme.js')
    expect(theme.headers['cache-control']).toBe('no-cache')
    const again = await get('/theme.js', { 'if-none-match': String(theme.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it.each(['/theme.js.br', '/assets/index-3c4d.js.gz', '/assets/gone-5e6f.js', '/assets/'])(
    '%s is none that anybody gets',
    async (path) => {
      expect((await get(path)).statusCode).toBe(404)
    },
  )
})

it('every other address is a screen, with a mark for its scripts that is new each time', async () => {
  const [one, other] = await Promise.all([get('/compose'), get('/compose')])
  expect(one.body).toMatch(/^<script nonce="[A-Za-z0-9+/]{22}==">/)
  expect(one.body).not.toBe(other.body)
})

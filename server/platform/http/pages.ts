import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, nothingHere } from '../errors.ts'
import { pagePolicy } from './security.ts'

/** The built web application: a few dozen files, held ready in memory. What is not in the list does not exist. */
type Page = {
  type: string
  etag: string
  plain: Buffer
  gzip: Buffer | null
  brotli: Buffer | null
  immutable: boolean
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
}
const SHELL = '/index.html'
const NONCE_PLACE = '__CSP_NONCE__'

export async function servePages(app: FastifyInstance, folder: string): Promise<void> {
  const pages = await readPages(folder)
  const shell = pages.get(SHELL)?.plain.toString('utf8')
  pages.delete(SHELL)

  for (const [path, page] of pages)
    app.get(path, { config: { access: 'public' } }, (request, reply) => sendPage(request, reply, page))
  app.all('/api/*', { config: { access: 'public' } }, () => {
    throw nothingHere()
  })
  // Every other address is a screen of the application, which finds out itself whether it exists.
  app.get('/*', { config: { access: 'public' } }, (request, reply) => {
    if (isFileName(request.url)) throw nothingHere()
    if (!shell) throw new AppError(503, 'The web application is not built; start Postrider with: npm start')
    return sendShell(reply, shell)
  })
}

/** No screen has a dot in its last part or lives among the built files: what asks for such a thing wants a file. */
function isFileName(url: string): boolean {
  const path = url.split('?', 1)[0] ?? ''
  return (
    path.startsWith('/assets/') ||
    path.slice(path.lastIndexOf('/')).includes('.') ||
    path.includes('/.') ||
    path.includes('//')
  )
}

function sendShell(reply: FastifyReply, shell: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .header('content-security-policy', pagePolicy(nonce))
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(shell.replaceAll(NONCE_PLACE, nonce))
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  reply.headers({
    etag: page.etag,
    vary: 'accept-encoding',
    // A built file carries its hash in its name, so a changed file has another address.
    'cache-control': page.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  if (request.headers['if-none-match'] === page.etag) return reply.code(304).send()
  const accepted = request.headers['accept-encoding'] ?? ''
  reply.type(page.type)
  if (page.brotli && accepted.includes('br')) return reply.header('content-encoding', 'br').send(page.brotli)
  if (page.gzip && accepted.includes('gzip')) return reply.header('content-encoding', 'gzip').send(page.gzip)
  return reply.send(page.plain)
}

async function readPages(folder: string): Promise<Map<string, Page>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter(
    (entry) => entry.isFile() && TYPES[extname(entry.name)] && !entry.name.startsWith('.'),
  )
  const pages = await Promise.all(
    files.map(async ({ parentPath, name }): Promise<[string, Page]> => {
      const file = join(parentPath, name)
      return [`/${relative(folder, file).split(sep).join('/')}`, await readPage(file)]
    }),
  )
  return new Map(pages)
}

async function readPage(file: string): Promise<Page> {
  const [plain, gzip, brotli] = await Promise.all([
    readFile(file),
    // The build lays them beside each file that shrinks.
    readFile(`${file}.gz`).catch(() => null),
    readFile(`${file}.br`).catch(() => null),
  ])
  return {
    type: TYPES[extname(file)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    plain,
    gzip,
    brotli,
    immutable: file.split(sep).includes('assets'),
  }
}

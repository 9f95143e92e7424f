import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build, loadConfigFromFile, type UserConfig } from 'vite'
import { pagePolicy } from '../server/platform/http/security.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NONCE = 'a-nonce-for-the-gallery'
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

export type Gallery = AsyncDisposable & { open(page: Page): Promise<void> }

/** Every part of the design system in every state. It is no page of the product, so it is built here, for once. */
export async function aGallery(): Promise<Gallery> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-gallery-'))
  const { plugins = [], ...config } = await configuration()
  await build({
    ...config,
    configFile: false,
    // It goes over no network, so no time is spent on making it small.
    plugins: plugins.filter((plugin) => !(plugin && 'name' in plugin && plugin.name === 'compressed')),
    root: join(ROOT, 'web'),
    logLevel: 'error',
    build: {
      ...config.build,
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: { ...config.build?.rolldownOptions, input: join(ROOT, 'web/gallery.html') },
    },
  })
  return {
    async open(page) {
      await page.route('**/*', async (route) => {
        const { pathname } = new URL(route.request().url())
        const file = await readFile(join(folder, pathname)).catch(() => null)
        if (!file) return route.fallback()
        const type = TYPES[extname(pathname)] ?? 'application/octet-stream'
        if (type !== 'text/html') return route.fulfill({ body: file, contentType: type })
        // Under the policy of the product, so that a part that breaks it is noticed here.
        return route.fulfill({
          body: file.toString('utf8').replaceAll('__CSP_NONCE__', NONCE),
          contentType: type,
          headers: { 'content-security-policy': pagePolicy(NONCE) },
        })
      })
      await page.goto('/gallery.html')
      await page.getByRole('heading', { name: 'Gallery', level: 1 }).waitFor()
    },
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function configuration(): Promise<UserConfig> {
  const file = join(ROOT, 'vite.config.ts')
  const loaded = await loadConfigFromFile({ command: 'build', mode: 'production' }, file)
  if (!loaded) throw new Error(`${file} is not there`)
  return loaded.config
}

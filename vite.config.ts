import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

/** Set by `npm run dev`: where the server listens while Vite serves the web. */
const server = env['POSTRIDER_SERVER']

/**
 * What it answers meanwhile: all that is no screen. The files of web/api have addresses that look like calls, and links
 * in letters end with their slash, for there are screens that begin with the same letter.
 */
const SERVED = [
  '^/api/(?![^?]*\\.tsx?(?:\\?|$))',
  '/local-mailbox',
  '/healthz',
  '/readyz',
  '/metrics',
  '/t/',
  '/u/',
]

const CONTRACT = /[\\/]contract[\\/][^\\/]+\.ts$/

/** Lays a compressed copy beside each file that shrinks: once, and as small as it gets, instead of at every start. */
function compressed(): Plugin {
  let folder = ''
  return {
    name: 'compressed',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    async closeBundle() {
      const files = await readdir(folder, { recursive: true })
      const shrinking = files
        .filter((file) => /\.(?:js|css|svg)$/.test(file))
        .map((file) => join(folder, file))
      await Promise.all(
        shrinking.map(async (file) => {
          const plain = await readFile(file)
          await writeFile(`${file}.br`, await promisify(brotliCompress)(plain))
          await writeFile(`${file}.gz`, await promisify(gzip)(plain, { level: 9 }))
        }),
      )
    },
  }
}

/** Sign-in sends its form by these, and imports them from a package that holds much more than it needs. */
const MUTATIONS = /[\\/]@tanstack[\\/].*[mM]utation/

const SIGNED_OUT = /[\\/]web[\\/]signed-out-routes\.tsx$/
const PACKAGE = /[\\/]node_modules[\\/]/

/** Whether a module of ours, or one that imports it, is part of what visitors see who are not signed in. */
function isForVisitors(id: string, modules: Rolldown.ChunkingContext, seen = new Set<string>()): boolean {
  if (SIGNED_OUT.test(id)) return true
  if (PACKAGE.test(id) || seen.has(id)) return false
  seen.add(id)
  const { importers = [], dynamicImporters = [] } = modules.getModuleInfo(id) ?? {}
  return [...importers, ...dynamicImporters].some((importer) => isForVisitors(importer, modules, seen))
}

/**
 * What several screens share, in four files. Left to itself the bundler makes one for each set of screens: some thirty
 * requests for a screen, most of them for less than a kilobyte. What comes first takes what it needs along.
 */
const SHARED: Rolldown.CodeSplittingGroup[] = [
  // Its parsers stay away from the sign-in screen, which needs its constants only.
  { name: 'contract', test: /[\\/](?:contract|node_modules[\\/]zod)[\\/]/, priority: 4 },
  { name: 'frame', tags: ['$initial'], priority: 3 },
  {
    name: (id, modules) => (MUTATIONS.test(id) || isForVisitors(id, modules) ? 'everywhere' : null),
    debugName: 'everywhere',
    minShareCount: 2,
    priority: 2,
  },
  { name: 'signed-in', minShareCount: 2, priority: 1 },
]

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss(), compressed()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The content security policy allows files of our own origin only, so nothing is inlined as a data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // To load a contract does nothing but define it, and its constants are written where they are used: who needs only
    // those gets no parser with them. The sign-in screen has a limit to keep (`npm run bench -- web`).
    rolldownOptions: {
      output: { codeSplitting: { groups: SHARED } },
      optimization: { inlineConst: { mode: 'all' } },
      treeshake: { moduleSideEffects: (id) => (CONTRACT.test(id) ? false : undefined) },
    },
  },
  ...(server
    ? {
        server: {
          proxy: Object.fromEntries(SERVED.map((path) => [path, server])),
        },
      }
    : {}),
})

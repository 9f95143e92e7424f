import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Set by `npm run dev`: where the server listens while Vite serves the web. */
const server = env['POSTRIDER_SERVER']

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
      optimization: { inlineConst: { mode: 'all' } },
      treeshake: { moduleSideEffects: (id) => (CONTRACT.test(id) ? false : undefined) },
    },
  },
  ...(server
    ? {
        server: {
          proxy: Object.fromEntries(
            ['/api', '/local-mailbox', '/healthz', '/readyz'].map((path) => [path, server]),
          ),
        },
      }
    : {}),
})

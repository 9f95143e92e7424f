import { env } from 'node:process'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Set by `npm run dev`: where the server listens while Vite serves the web. */
const server = env['POSTRIDER_SERVER']

const CONTRACT = /[\\/]contract[\\/][^\\/]+\.ts$/

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss()],
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

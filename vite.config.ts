import { env } from 'node:process'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Set by `npm run dev`: where the server listens while Vite serves the web. */
const server = env['POSTRIDER_SERVER']

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The content security policy allows files of our own origin only, so nothing is inlined as a data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
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

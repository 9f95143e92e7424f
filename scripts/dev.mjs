// `npm run dev`: the application with hot reload. Vite serves the web and passes everything else on to the server,
// which starts again at every change of its code. Services of others are simulated on this machine; whoever sets the
// address of one, in the environment or in .env, gets the real one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ownSettings, simulatedFor } from './dev-settings.mjs'
import { environment, ROOT } from './run.mjs'

const own = ownSettings(ROOT)
const port = Number(own.PORT || 3000)
const serverPort = port + 1

const vendors = spawn('node', ['server/test/vendors-for-dev.ts'], {
  cwd: ROOT,
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  env: environment,
})
const [{ env: simulated, credentials, chat }] = await once(vendors, 'message')
console.log(`Simulated providers, for the Settings screen:\n  ${credentials.join('\n  ')}`)
if (!own.TELEGRAM_BOT_TOKEN) console.log(`Simulated Telegram, to chat with the bot: ${chat}`)

const server = spawn('node', ['--watch', '--watch-preserve-output', 'server/main.ts'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: {
    ...environment,
    ...simulatedFor(own, simulated),
    PORT: String(serverPort),
    PUBLIC_URL: own.PUBLIC_URL || `http://localhost:${port}`,
  },
})
const web = spawn('vite', ['--port', String(port), '--strictPort', '--clearScreen', 'false'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...environment, POSTRIDER_SERVER: `http://127.0.0.1:${serverPort}` },
})

const children = [vendors, server, web]
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
for (const child of children)
  child.on('close', () => {
    for (const other of children) if (other.exitCode === null) other.kill('SIGTERM')
  })

// What `npm run dev` has to know of the settings that the server reads by itself.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/** As server/config.ts reads them: variables of the environment win over the file. */
export function ownSettings(root, env = process.env) {
  const file = join(root, '.env')
  return { ...(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}), ...env }
}

/** Where the simulated services are, without those that somebody has named another for. */
export function simulatedFor(own, simulated) {
  // A bot of one's own speaks with Telegram itself: its token is not for anybody else.
  const named = { ...own, TELEGRAM_API_ROOT: own.TELEGRAM_API_ROOT || own.TELEGRAM_BOT_TOKEN }
  return Object.fromEntries(Object.entries(simulated).filter(([name]) => !named[name]))
}

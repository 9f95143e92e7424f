import { access } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { createSecrets, keyFileOf, keyFromFile, type Secrets } from '../platform/secrets.ts'
import { type Command, complain, say } from './command.ts'
import { withInstallation } from './database.ts'
import { line } from './lists.ts'
import { sealedThings } from './sealed.ts'

export const secrets: Command = {
  name: 'secrets',
  takes: '',
  does: 'lists who keeps which credentials here, and former keys of links, and whether the key of this installation opens them, never a value',
  run: () =>
    withInstallation(async ({ config, db }) => {
      const own = await secretsOf(config)
      let closed = 0
      await say(line('email', 'provider', 'fields', 'opens'))
      for await (const { email, provider, fields, opens } of sealedThings(db, own)) {
        await say(line(email, provider, fields, opens ? 'yes' : 'no'))
        if (!opens) closed += 1
      }
      return closed === 0 ? 0 : complain(`${closed} of these do not open. ${cureOf(config, own)}`)
    }),
}

/** Without making a key where there is none: the right one may still have to be put there. */
async function secretsOf(config: Config): Promise<Secrets | null> {
  const isThere = await access(keyFileOf(config.dataDir)).then(
    () => true,
    () => false,
  )
  if (config.secretKey === null && !isThere) return null
  return createSecrets(config.secretKey ?? (await keyFromFile(config.dataDir)))
}

function cureOf(config: Config, own: Secrets | null): string {
  if (config.secretKey !== null) return 'Set SECRET_KEY to the one that they were sealed under'
  const what =
    own === null ? 'There is no key file' : 'The key file is another one than they were sealed under'
  return `${what}; put that of the original installation to ${keyFileOf(config.dataDir)}`
}

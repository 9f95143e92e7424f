import { isNewSecretKeyNamed, loadNewSecretKey } from '../config.ts'
import { TOKEN_PURPOSES } from '../delivery/tokens.ts'
import type { Database } from '../platform/database.ts'
import { StartError } from '../platform/errors.ts'
import { isKnownKey, isMarkedKey } from '../platform/key-mark.ts'
import {
  createSecrets,
  keyFileOf,
  keyFromFile,
  nextKeyFile,
  refuseHalfReplacedKey,
  type Secrets,
  signingKeyOf,
} from '../platform/secrets.ts'
import { resealAll } from '../settings/reseal.ts'
import { type Command, say } from './command.ts'
import { type Installation, withInstallation } from './database.ts'
import { line } from './lists.ts'
import { sealedThings } from './sealed.ts'

/** To be said, since what it deletes would open again if the lost key were found. */
const DROP_LOST = 'drop-lost'

export const reseal: Command = {
  name: 'reseal',
  takes: `[${DROP_LOST}]`,
  does: 'seals all stored credentials under a new key, while Postrider is stopped: NEW_SECRET_KEY where SECRET_KEY is set, else one that takes the place of the key file (copy that first: backups made under it need it); with drop-lost it deletes what a key that is lost for good had sealed',
  run: async (word) => {
    if (word !== undefined && word !== DROP_LOST)
      throw new StartError(`reseal takes ${DROP_LOST} behind it or nothing`)
    return withInstallation((installation) => replaceKey(installation, word === DROP_LOST), { isAlone: true })
  },
}

const NOT_ALL_OPEN =
  'The key of this installation does not open all stored credentials, so nothing was changed; see npm run admin -- secrets'

const LOST_KEY = `${NOT_ALL_OPEN}; if the key of those that do not open is lost for good: npm run admin -- reseal ${DROP_LOST}`

const NOT_IN_USE =
  'Only the key that this database is used with tells what was sealed under a lost one, so nothing was changed; if that key itself is lost, run npm run admin -- accept-key first'

const NOT_TAKEN =
  'NEW_SECRET_KEY is taken only where SECRET_KEY is set; without it the new key is made and put to the key file: set SECRET_KEY to the present key, or remove NEW_SECRET_KEY'

async function replaceKey({ config, db }: Installation, mayDrop: boolean): Promise<number> {
  const { dataDir, secretKey } = config
  // Where the key is a file the new one is made here; whoever names one believes that theirs is taken.
  if (secretKey === null && isNewSecretKeyNamed()) throw new StartError(NOT_TAKEN)
  const oldKey = secretKey ?? (await keyFromFile(dataDir))
  const before = createSecrets(oldKey)
  const isInUse = await isMarkedKey(db, before)
  const lost = mayDrop && isInUse ? await closedUnder(db, before) : []
  // Each replacement leaves former keys under its new one: where the old key opens everything, none has happened yet.
  const isUntouched = lost.length > 0 || (await opensAll(db, before))
  const refusal = mayDrop ? NOT_IN_USE : isInUse ? LOST_KEY : NOT_ALL_OPEN
  // Looked at first: a new key that waits beside the old one keeps Postrider from starting.
  if (!isUntouched && (secretKey !== null || !(await isHalfReplaced(dataDir)))) throw new StartError(refusal)
  // In a file it is safe on the disk before anything is sealed under it.
  const file = secretKey === null ? await nextKeyFile(dataDir) : null
  const newKey = file?.key ?? loadNewSecretKey()
  if (newKey === oldKey)
    throw new StartError('NEW_SECRET_KEY is the key in use; make another one with: openssl rand -base64 32')
  const after = createSecrets(newKey)
  // One that was cut short may have sealed everything already: then the new key opens it.
  if (!isUntouched && !(file?.isLeftOver && (await opensAll(db, after)))) throw new StartError(refusal)
  const count = await resealAll(db, {
    from: isUntouched ? before : after,
    to: after,
    retired: TOKEN_PURPOSES.map((purpose) => signingKeyOf(oldKey, purpose)),
    dropsLost: lost.length > 0,
  })
  await file?.takeItsPlace()
  if (lost.length > 0) await say('Dropped, since they were sealed under a key that is lost:')
  for (const one of lost) await say(one)
  await say(`The credentials of ${count} users are sealed under the new key.`)
  await say(
    `Links, return paths and reply addresses in mails that were sent before stay valid${lost.length > 0 ? ', but not those of the lost key' : ''}.`,
  )
  await say('Codes of sign-ups that wait to be confirmed do not: whoever needs one asks for another.')
  await say(
    file === null
      ? 'Now start Postrider with SECRET_KEY set to it, and keep it in another place than the backups.'
      : `The key file has been replaced: keep ${keyFileOf(dataDir)} in another place than the backups.`,
  )
  await say('Backups that were made before need the former key.')
  return 0
}

async function closedUnder(db: Database, secrets: Secrets): Promise<string[]> {
  const closed: string[] = []
  for await (const { email, provider, fields, opens } of sealedThings(db, secrets))
    if (!opens) closed.push(line(email, provider, fields))
  return closed
}

async function opensAll(db: Database, secrets: Secrets): Promise<boolean> {
  // Where nobody keeps anything, every key would open all of it.
  if (!(await isKnownKey(db, secrets))) return false
  for await (const { opens } of sealedThings(db, secrets)) if (!opens) return false
  return true
}

const isHalfReplaced = (dataDir: string): Promise<boolean> =>
  refuseHalfReplacedKey(dataDir).then(
    () => false,
    () => true,
  )

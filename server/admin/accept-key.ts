import { isMarkedKey, replaceKeyMark } from '../platform/key-mark.ts'
import { createSecrets, keyFromFile, refuseHalfReplacedKey } from '../platform/secrets.ts'
import { type Command, say } from './command.ts'
import { type Installation, withInstallation } from './database.ts'

export const acceptKey: Command = {
  name: 'accept-key',
  takes: '',
  does: 'lets Postrider start with another key where the one that this database was used with is lost; a key that is known is replaced by reseal',
  run: () => withInstallation(accept, { isAlone: true }),
}

async function accept({ config: { secretKey, dataDir }, db }: Installation): Promise<number> {
  if (secretKey === null) await refuseHalfReplacedKey(dataDir)
  const secrets = createSecrets(secretKey ?? (await keyFromFile(dataDir)))
  if (await isMarkedKey(db, secrets)) {
    await say('Postrider starts with this key: nothing was changed.')
    return 0
  }
  await replaceKeyMark(db, secrets)
  await say('Postrider starts with this key from now on.')
  await say('Credentials under another one do not open, and have to be typed again: npm run admin -- secrets')
  await say(
    'None is deleted, in case the lost key is found: reseal does that, if it is told to drop what is lost.',
  )
  await say('Links, return paths and reply addresses in mails that were sent under another one are refused.')
  return 0
}

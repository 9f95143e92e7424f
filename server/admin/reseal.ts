import { loadNewSecretKey } from '../config.ts'
import { StartError } from '../platform/errors.ts'
import { createSecrets, keyFromFile, nextKeyFile, refuseHalfReplacedKey } from '../platform/secrets.ts'
import { resealAll } from '../settings/reseal.ts'
import { createVault } from '../settings/vault.ts'
import { type Command, say } from './command.ts'
import { type Installation, withInstallation } from './database.ts'
import { sealedThings } from './sealed.ts'

export const reseal: Command = {
  name: 'reseal',
  takes: '',
  does: 'seals all stored credentials under a new key, while Postrider is stopped: NEW_SECRET_KEY where SECRET_KEY is set, else one that takes the place of the key file',
  run: () => withInstallation(replaceKey, { isAlone: true }),
}

async function replaceKey({ config, db }: Installation): Promise<number> {
  const { dataDir, secretKey } = config
  const before = createVault(createSecrets(secretKey ?? (await keyFromFile(dataDir))))
  // Looked at first: a new key that waits beside the old one keeps Postrider from starting.
  if (secretKey !== null || !(await isHalfReplaced(dataDir)))
    for await (const { opens } of sealedThings(db, before))
      if (!opens)
        throw new StartError(
          'The key of this installation does not open all stored credentials, so nothing was changed; see npm run admin -- secrets',
        )
  // In a file it is safe on the disk before anything is sealed under it.
  const file = secretKey === null ? await nextKeyFile(dataDir) : null
  const after = createVault(createSecrets(file?.key ?? loadNewSecretKey()))
  // One that was cut short may have sealed everything already: then the new key opens it.
  const earlier = file?.isLeftOver ? await resealAll(db, after, after).catch(() => null) : null
  const count = earlier ?? (await resealAll(db, before, after))
  await file?.takeItsPlace()
  await say(`The credentials of ${count} users are sealed under the new key.`)
  await say(
    file === null
      ? 'Now start Postrider with SECRET_KEY set to it.'
      : 'The key file has been replaced; back up DATA_DIR again.',
  )
  return 0
}

const isHalfReplaced = (dataDir: string): Promise<boolean> =>
  refuseHalfReplacedKey(dataDir).then(
    () => false,
    () => true,
  )

import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { StartError } from './errors.ts'
import { keptFile } from './kept-file.ts'

/** How the product's own mail is signed. Without a selector it is not. */
export type DkimSettings = { selector: string | null; domain: string; keyFile: string }

const BITS = 2048
const makePair = promisify(generateKeyPair)

export async function readDkimKey(file: string): Promise<KeyObject> {
  const pem = await readFile(file, 'utf8').catch((error) => {
    throw new StartError(
      error.code === 'ENOENT'
        ? `DKIM_SELECTOR is set, but there is no key in ${file}; make it with: npm run admin -- dkim`
        : `The DKIM key ${file} cannot be read; check its rights`,
      { cause: error },
    )
  })
  return wholeKey(pem, file)
}

/** The key that is there, or else a new one. */
export async function keepDkimKey(file: string): Promise<KeyObject> {
  const pem = await keptFile(file, async () => {
    const { privateKey } = await makePair('rsa', { modulusLength: BITS })
    return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  }).catch((error) => {
    throw new StartError(`The DKIM key ${file} cannot be made or read; check the rights of its folder`, {
      cause: error,
    })
  })
  return wholeKey(pem, file)
}

function wholeKey(pem: string, file: string): KeyObject {
  try {
    const key = createPrivateKey(pem)
    // Receivers refuse shorter ones, and few know other kinds.
    if (key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 1024) return key
  } catch {
    // Said below.
  }
  throw new StartError(
    `The DKIM key ${file} must be an RSA private key of at least 1024 bits, as: openssl genrsa 2048`,
  )
}

/** What the world must know to check signatures: a TXT record. */
export const dkimRecord = (
  selector: string,
  domain: string,
  key: KeyObject,
): { name: string; value: string } => ({
  name: `${selector}._domainkey.${domain}`,
  value: `v=DKIM1; k=rsa; p=${createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')}`,
})

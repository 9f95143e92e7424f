import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from './errors.ts'
import { flushFolder, keptFile } from './kept-file.ts'

/**
 * Sealing (AES-256-GCM) binds a secret to where it stands, for example "product-mail": a sealed value that is moved to
 * another row or field does not open. Signing is HMAC-SHA256. Each use has its own key, derived from the one secret.
 */
export type Secrets = {
  seal(place: string, plain: string): string
  open(place: string, sealed: string): string
  sign(purpose: string, text: string | Buffer): Buffer
  /**
   * Whether the key of today signed it, or one that was replaced and kept for this purpose. Of a signature that was cut
   * short 16 bytes have to be there.
   */
  isSigned(purpose: string, text: string | Buffer, signature: Buffer): boolean
}

/** What `sign` uses for one purpose; whoever has it can neither open nor sign anything else. */
export type SigningKey = { purpose: string; key: Buffer }

const VERSION = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16
const SIGNATURE_MIN = 16

const derived = (masterKey: string, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, 'postrider', use, 32))

/** For whoever keeps it beyond the life of the master key. */
export const signingKeyOf = (masterKey: string, purpose: string): SigningKey => ({
  purpose,
  key: derived(masterKey, `sign ${purpose}`),
})

export function createSecrets(masterKey: string, former: readonly SigningKey[] = []): Secrets {
  const sealingKey = derived(masterKey, 'seal')
  /** A purpose is one of a few words of ours. To derive a key takes ten times as long as to sign with it. */
  const signers = new Map<string, Signer>()
  function signer(purpose: string): Signer {
    const known = signers.get(purpose)
    if (known) return known
    const made = createSigner(signingKeyOf(masterKey, purpose).key)
    signers.set(purpose, made)
    return made
  }
  const formerSigners = former.map(({ purpose, key }) => ({ purpose, sign: createSigner(key) }))

  return {
    seal(place, plain) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealingKey, iv).setAAD(Buffer.from(place))
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`
    },

    open(place, text) {
      const [version, body] = text.split('.')
      const bytes = Buffer.from(body ?? '', 'base64url')
      if (version !== VERSION || bytes.length < IV_BYTES + TAG_BYTES) throw new Error('not a sealed value')
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return Buffer.concat([
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8')
    },

    sign: (purpose, text) => signer(purpose)(text),

    isSigned(purpose, text, signature) {
      const { length } = signature
      if (length < SIGNATURE_MIN) return false
      const isOf = (sign: Signer) => sameBytes(sign(text).subarray(0, length), signature)
      return isOf(signer(purpose)) || formerSigners.some((one) => one.purpose === purpose && isOf(one.sign))
    },
  }
}

/** Whether something that throws where a seal does not open has come to its end. */
export function opens(open: () => unknown): boolean {
  try {
    open()
    return true
  } catch {
    return false
  }
}

type Signer = (text: string | Buffer) => Buffer

const BLOCK_BYTES = 64

/**
 * HMAC-SHA256 as RFC 2104 writes it, on the hash that needs no object: every mail is signed twice, and an object of
 * `createHmac` costs six times as much as both hashes.
 */
function createSigner(key: Buffer): Signer {
  const inner = Buffer.alloc(BLOCK_BYTES, 0x36)
  const outer = Buffer.alloc(BLOCK_BYTES, 0x5c)
  for (const [at, byte] of key.entries()) {
    inner[at] = byte ^ 0x36
    outer[at] = byte ^ 0x5c
  }
  const hashed = (head: Buffer, rest: Buffer) => hash('sha256', Buffer.concat([head, rest]), 'buffer')
  return (text) => hashed(outer, hashed(inner, Buffer.from(text)))
}

/** 256 random bits, safe in a URL and a cookie. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

/** A token of full strength needs no slow hash: nobody can guess what it was made from. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

export const keyFileOf = (dataDir: string): string => join(dataDir, 'secret.key')

/** Makes the key of this installation once. Two first starts at the same time end with the same key. */
export async function keyFromFile(dataDir: string): Promise<string> {
  const file = keyFileOf(dataDir)
  try {
    return wholeKey(await keptFile(file, async () => `${randomToken()}\n`), file)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`The key file ${file} cannot be made or read; check the rights of DATA_DIR`, {
      cause: error,
    })
  }
}

type NextKey = {
  key: string
  /** It was there already: an earlier replacement was cut short, and may have sealed everything under it. */
  isLeftOver: boolean
  takeItsPlace(): Promise<void>
}

const nextKeyPath = (dataDir: string): string => join(dataDir, 'secret.key.next')

/** Nothing is sealed under a key before its file is whole: what a full disk or a kill left of one was never used. */
async function isKeyWaiting(dataDir: string): Promise<boolean> {
  const text = await readFile(nextKeyPath(dataDir), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return isWhole(text)
}

/** A key that waits beside the key file until everything is sealed under it. One that waits already is never replaced. */
export async function nextKeyFile(dataDir: string): Promise<NextKey> {
  const next = nextKeyPath(dataDir)
  if (!(await isKeyWaiting(dataDir))) await rm(next, { force: true })
  const made = randomToken()
  const key = wholeKey(await keptFile(next, async () => `${made}\n`), next)
  // Also for one that was there: the process that made it may have ended before this.
  await flushFolder(dataDir)
  return {
    key,
    isLeftOver: key !== made,
    async takeItsPlace() {
      await rename(next, keyFileOf(dataDir))
      await flushFolder(dataDir)
    },
  }
}

/** Between two keys nobody knows which one opens what is stored; the command that was cut short finds out. */
export async function refuseHalfReplacedKey(dataDir: string): Promise<void> {
  // One that cannot be read, since another user ran the command, waits all the same.
  if (await isKeyWaiting(dataDir).catch(() => true))
    throw new StartError('The replacement of the key was cut short; run it again: npm run rotate-key')
}

const isWhole = (text: string): boolean => text.trim().length >= 32

function wholeKey(text: string, file: string): string {
  if (!isWhole(text))
    throw new StartError(
      `The key file ${file} is damaged; put that one file back from where you keep it, and nothing else of DATA_DIR`,
    )
  return text.trim()
}

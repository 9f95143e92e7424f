import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/**
 * A certificate that nobody vouches for, and its key, made anew: it keeps those out who only listen, which is all that
 * mail servers ask of each other. Node reads certificates but makes none; this is the least that X.509 demands.
 */
export function selfSigned(host: string, now = new Date()): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(objectId(COMMON_NAME), utf8(host.slice(0, 64)))))
  const signedBy = sequence(objectId(ECDSA_WITH_SHA256))
  const content = sequence(
    integer(randomBytes(8)),
    signedBy,
    name,
    sequence(time(now, -1), time(now, 10)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const certificate = sequence(content, signedBy, bits(sign('sha256', content, privateKey)))
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

/** 2.5.4.3 and 1.2.840.10045.4.3.2, as DER writes them. */
const COMMON_NAME = Buffer.from('550403', 'hex')
const ECDSA_WITH_SHA256 = Buffer.from('2a8648ce3d040302', 'hex')

function value(tag: number, content: Buffer): Buffer {
  const { length } = content
  const head =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), content])
}

const sequence = (...parts: Buffer[]): Buffer => value(0x30, Buffer.concat(parts))
const set = (part: Buffer): Buffer => value(0x31, part)
const objectId = (bytes: Buffer): Buffer => value(0x06, bytes)
const utf8 = (text: string): Buffer => value(0x0c, Buffer.from(text))
const bits = (bytes: Buffer): Buffer => value(0x03, Buffer.concat([Buffer.from([0]), bytes]))

/** Positive, and without a leading zero. */
function integer(bytes: Buffer): Buffer {
  const [first = 0] = bytes
  return value(0x02, Buffer.concat([Buffer.from([(first & 0x7f) | 0x40]), bytes.subarray(1)]))
}

function time(now: Date, years: number): Buffer {
  const at = new Date(now)
  at.setUTCFullYear(at.getUTCFullYear() + years)
  return value(
    0x17,
    Buffer.from(
      at
        .toISOString()
        .replace(/\.\d+|[-:T]/g, '')
        .slice(2),
    ),
  )
}

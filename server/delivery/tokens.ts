import type { Secrets } from '../platform/secrets.ts'

export type DeliveryKey = { campaignId: string; seq: number }

/**
 * Proof that somebody has the mail of one delivery: the delivery and a signature, in 36 bytes. It stands in the links of
 * the mail, and in another spelling in its return path. Nobody can make one for another delivery.
 */
export type DeliveryTokens = {
  /** 48 letters, digits, `-` and `_`. */
  linkToken(delivery: DeliveryKey): string
  readLinkToken(token: string): DeliveryKey | null
  /** 58 small letters and digits: some mail servers write an address in other cases than it was given to them. */
  returnToken(delivery: DeliveryKey): string
  readReturnToken(token: string): DeliveryKey | null
}

/** What tokens are signed for. These keys outlive the master key: mails that were sent cannot be changed. */
export const TOKEN_PURPOSES = ['delivery-link', 'delivery-return'] as const
type TokenPurpose = (typeof TOKEN_PURPOSES)[number]

const MAC_BYTES = 16
const BODY_BYTES = 20
const LINK = /^[\w-]{48}$/
const RETURN = /^[a-z2-7]{58}$/

export function createDeliveryTokens(secrets: Pick<Secrets, 'sign' | 'isSigned'>): DeliveryTokens {
  function make(purpose: TokenPurpose, { campaignId, seq }: DeliveryKey): Buffer {
    const bytes = Buffer.allocUnsafe(BODY_BYTES + MAC_BYTES)
    bytes.write(campaignId.replaceAll('-', ''), 'hex')
    bytes.writeUInt32BE(seq, 16)
    secrets.sign(purpose, bytes.subarray(0, BODY_BYTES)).copy(bytes, BODY_BYTES, 0, MAC_BYTES)
    return bytes
  }

  function read(purpose: TokenPurpose, bytes: Buffer): DeliveryKey | null {
    if (bytes.length !== BODY_BYTES + MAC_BYTES) return null
    if (!secrets.isSigned(purpose, bytes.subarray(0, BODY_BYTES), bytes.subarray(BODY_BYTES))) return null
    const campaignId = bytes
      .toString('hex', 0, 16)
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    return { campaignId, seq: bytes.readUInt32BE(16) }
  }

  return {
    linkToken: (delivery) => make('delivery-link', delivery).toString('base64url'),
    readLinkToken: (token) =>
      LINK.test(token) ? read('delivery-link', Buffer.from(token, 'base64url')) : null,
    returnToken: (delivery) => toBase32(make('delivery-return', delivery)),
    readReturnToken(token) {
      const small = token.toLowerCase()
      return RETURN.test(small) ? read('delivery-return', fromBase32(small)) : null
    },
  }
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

function toBase32(bytes: Buffer): string {
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    bits += 8
    for (; bits >= 5; bits -= 5) text += BASE32[(held >> (bits - 5)) & 31]
  }
  return bits > 0 ? text + BASE32[(held << (5 - bits)) & 31] : text
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = []
  let held = 0
  let bits = 0
  for (const sign of text) {
    held = ((held << 5) | BASE32.indexOf(sign)) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((held >> bits) & 255)
    }
  }
  return Buffer.from(bytes)
}

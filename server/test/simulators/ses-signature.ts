import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Amazon's Signature Version 4, computed anew from what arrived: https://docs.aws.amazon.com/IAM/latest/UserGuide/ */

type Keys = { accessKeyId: string; secretAccessKey: string; region: string }
type Objection = { type: string; message: string }

const FRESH_MS = 5 * 60_000
const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([^/,]+)\/([^/,]+)\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

/** Null where the request was signed with these keys, just now; otherwise what Amazon says to it. */
export function objectionTo(
  request: IncomingMessage,
  body: Buffer,
  keys: Keys,
  now: number,
): Objection | null {
  const form = FORM.exec(request.headers.authorization ?? '')
  if (!form) return objection('MissingAuthenticationTokenException', 'Missing Authentication Token')
  const [, id, day = '', region = '', service = '', signedNames = '', signature = ''] = form
  if (id !== keys.accessKeyId)
    return objection('UnrecognizedClientException', 'The security token included in the request is invalid.')
  if (region !== keys.region || service !== 'ses')
    return wrong(`Credential should be scoped to a valid region and to service 'ses'.`)
  const moment = String(request.headers['x-amz-date'])
  const at = Date.parse(moment.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(now - at) <= FRESH_MS) || !moment.startsWith(day))
    return wrong(`Signature expired: ${moment} is now earlier than the time that is allowed.`)
  const names = signedNames.split(';')
  if (!names.includes('host') || !names.includes('x-amz-date')) return wrong('Host and date must be signed.')
  const bodyHash = sha256(body)
  const stated = request.headers['x-amz-content-sha256']
  if (stated !== undefined && stated !== bodyHash) return wrong('The body is another one.')

  const canonical = canonicalRequest(request, names, bodyHash)
  const text = ['AWS4-HMAC-SHA256', moment, `${day}/${region}/${service}/aws4_request`, sha256(canonical)]
  const key = ['aws4_request', service, region, day].reduceRight<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${keys.secretAccessKey}`,
  )
  const expected = hmac(key, text.join('\n'))
  if (timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return null
  return wrong(
    `The request signature we calculated does not match the signature you provided. The Canonical String for this request should have been '${canonical}'`,
  )
}

const objection = (type: string, message: string): Objection => ({ type, message })
const wrong = (message: string): Objection => objection('InvalidSignatureException', message)

function canonicalRequest(request: IncomingMessage, names: readonly string[], bodyHash: string): string {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://simulator')
  const query = [...searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')
  const headers = names.map((name) => `${name}:${String(request.headers[name] ?? '').replace(/\s+/g, ' ')}\n`)
  return [
    request.method,
    // What is encoded in the path is encoded once more: so it is with all services but S3.
    pathname.split('/').map(encoded).join('/'),
    query,
    headers.join(''),
    names.join(';'),
    bodyHash,
  ].join('\n')
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

import { cut, oneLine } from './clean-text.ts'

const NAME_MAX = 150
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,60}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,80}$/
const OTHER_TYPE = 'application/octet-stream'

/** For files that come without a name. */
const ENDINGS = new Map([
  ['message/rfc822', 'eml'],
  ['text/calendar', 'ics'],
  ['application/ics', 'ics'],
  ['text/vcard', 'vcf'],
  ['text/x-vcard', 'vcf'],
  ['text/plain', 'txt'],
  ['text/html', 'html'],
  ['text/csv', 'csv'],
  ['text/rfc822-headers', 'txt'],
  ['message/delivery-status', 'txt'],
  ['message/feedback-report', 'txt'],
  ['message/disposition-notification', 'txt'],
  ['application/pdf', 'pdf'],
  ['application/zip', 'zip'],
  ['application/pkcs7-signature', 'p7s'],
  ['application/pkcs7-mime', 'p7m'],
  ['application/pgp-signature', 'asc'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/svg+xml', 'svg'],
])

export function fileType(declared: string): string {
  const type = declared.trim().toLowerCase()
  return MEDIA_TYPE.test(type) ? type : OTHER_TYPE
}

/** A name, never a path; cut before its ending, which tells people what they are about to open. */
export function fileName(declared: string | null, type: string, place: number): string {
  const [last = ''] = oneLine(declared ?? '', 1_000)
    .split(/[/\\]/)
    .slice(-1)
  const name = last.replace(/[:*?"<>|]/g, '_').replace(/^[. ]+|[. ]+$/g, '')
  if (name === '') return `attachment-${place + 1}.${ENDINGS.get(type) ?? 'bin'}`
  if (name.length <= NAME_MAX) return name
  const ending = /\.[^.]{1,12}$/.exec(name)?.[0] ?? ''
  return `${cut(name, NAME_MAX - ending.length)}${ending}`
}

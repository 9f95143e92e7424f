import Mailgun from 'mailgun.js'
import type { MailgunSimulator } from './mailgun.ts'

/** Mailgun's official client, pointed at a simulator. */
export const sdk = ({ url, apiKey }: MailgunSimulator, key = apiKey) =>
  new Mailgun(FormData).client({ username: 'api', key, url: url.href.replace(/\/$/, '') })

/** A mail to two people, in the fields that our client uses. */
export const TWO_MAILS = {
  from: 'Postrider <mail@mg.x.tld>',
  to: ['ann@x.test', 'bob@x.test'],
  subject: 'Hello',
  text: 'Hello\r\n',
  html: '<p>Hello</p>',
  'h:Reply-To': 'desk@x.test',
  'h:X-Own': '%recipient.h0%',
  'v:mid': '%recipient.mid%',
  'o:tracking': 'no' as const,
  'o:tracking-opens': 'no' as const,
  'o:tracking-clicks': 'no' as const,
  'o:suppress-headers': 'X-Mailgun-Variables',
  'recipient-variables': JSON.stringify({
    'ann@x.test': { mid: 'm1', percent: '%', h0: 'one' },
    'bob@x.test': { mid: 'm2', percent: '%', h0: 'two' },
  }),
}

import { expect, it } from 'vitest'
import { secretHint } from './secret-hint.ts'
import { aForm, aStored } from './testing.ts'

const KEEP = 'One is stored. Leave blank to keep it.'
const smtp = aStored({ provider: 'smtp', smtpHost: 'mail.example.test', hasSmtpPassword: true })
const ses = aStored({ provider: 'ses', smtpHost: 'eu-west-1', hasSmtpPassword: true, hasApiKey: true })
const sendgrid = aStored({ provider: 'sendgrid', hasApiKey: true })

const relay = (smtpHost: string, smtpPort = '587') =>
  aForm({ provider: 'smtp', account: { smtpHost, smtpPort } })
const region = (smtpHost: string) => aForm({ provider: 'ses', account: { smtpHost } })

it.each([
  ['nothing is stored', secretHint('apiKey', aForm({ provider: 'sendgrid' }), aStored()), undefined],
  ['the key is for this provider', secretHint('apiKey', aForm({ provider: 'sendgrid' }), sendgrid), KEEP],
  ['it is the same host', secretHint('smtpPassword', relay(' Mail.Example.test', ''), smtp), KEEP],
  ['it is the same region', secretHint('smtpPassword', region('eu-west-1'), ses), KEEP],
  [
    'it is another provider',
    secretHint('apiKey', aForm({ provider: 'mailgun' }), sendgrid),
    'Type it: the stored one belongs to SendGrid.',
  ],
  [
    'it is a password of another provider',
    secretHint('smtpPassword', region('us-east-1'), smtp),
    'Type it: the stored one belongs to SMTP.',
  ],
  [
    'it is another host',
    secretHint('smtpPassword', relay('other.example.test'), smtp),
    'Type it again for another host or port.',
  ],
  [
    'it is another port',
    secretHint('smtpPassword', relay('mail.example.test', '465'), smtp),
    'Type it again for another host or port.',
  ],
  ['it is another region', secretHint('apiKey', region(''), ses), 'Type it again for another region.'],
])('when %s, the hint says so', (_, hint, expected) => {
  expect(hint).toBe(expected)
})

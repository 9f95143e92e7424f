import PostalMime from 'postal-mime'
import { afterAll, describe, expect, it } from 'vitest'
import { trustedDial } from '../platform/dialer.ts'
import { aCopy, aLetter, UNSTOPPED } from '../test/simulators/a-mail.ts'
import { startMailgunSimulator } from '../test/simulators/mailgun.ts'
import { startResendSimulator } from '../test/simulators/resend.ts'
import { startSendgridSimulator } from '../test/simulators/sendgrid.ts'
import { startSesSimulator } from '../test/simulators/ses.ts'
import { startSmtpSimulator } from '../test/simulators/smtp.ts'
import { createMailgun } from './mailgun.ts'
import type { Provider } from './provider.ts'
import { createResend } from './resend.ts'
import { createSendgrid } from './sendgrid.ts'
import { createSes } from './ses.ts'
import { createSmtp } from './smtp.ts'

const MARK = 'm'.repeat(48)
/** As many as a reply names: more than fit into one line, and more than Amazon takes. */
const REFERENCES = Array.from({ length: 20 }, (_, at) => `<${at}.${'r'.repeat(50)}@mail.example.com>`)
const [ANN, BOB] = ['a-'.repeat(24), 'b_'.repeat(24)]

/** Long lines, other scripts, a template's braces and Mailgun's percent signs beside the mark. */
const letter = aLetter({
  text: `Grüße {{x}} 100 %recipient.x%\n\n${'lang '.repeat(20)}https://p.test/u/${MARK}\nこんにちは`,
  html: `<p>こんにちは {{x}} %recipient.x% ${'日本語'.repeat(200)}<a href="https://p.test/u/${MARK}">x</a><img src="https://p.test/t/${MARK}.gif"></p>`,
  headers: {
    'List-Unsubscribe': `<https://p.test/u/${MARK}>`,
    'X-Same': 'for all',
    'In-Reply-To': '<%recipient.x%50@mail.example.com>',
    References: REFERENCES.join(' '),
  },
  replyTo: `ann+${MARK}@in.example.test`,
  mark: MARK,
})
const copies = [
  aCopy({ to: 'ann@x.test', idempotencyKey: '1', token: ANN }),
  aCopy({ to: 'bob@x.test', idempotencyKey: '2', messageId: '<2@postrider.localhost>', token: BOB }),
]

type Arrived = ReturnType<typeof headersOf> & { text: string; html: string; replyTo: string | undefined }
const headersOf = (headers: Record<string, string | undefined>) => ({
  unsubscribe: headers['List-Unsubscribe'],
  same: headers['X-Same'],
  inReplyTo: headers['In-Reply-To'],
  references: headers['References']?.split(/\s+/),
})

const resend = await startResendSimulator()
const smtp = await startSmtpSimulator()
const sendgrid = await startSendgridSimulator({ domains: [{ domain: 'postrider.localhost', valid: true }] })
const mailgun = await startMailgunSimulator({ domains: ['postrider.localhost'] })
const ses = await startSesSimulator()
afterAll(() => Promise.all(Object.values(CASES).map(({ provider }) => provider.close())))
afterAll(() => Promise.all([resend, smtp, sendgrid, mailgun, ses].map((one) => one.close())))

const CASES: Record<string, { provider: Provider; arrived: () => Promise<Arrived[]> }> = {
  Resend: {
    provider: createResend({ apiKey: resend.apiKey, baseUrl: resend.url }),
    arrived: async () =>
      resend.ledger.map(({ mail }) => ({
        text: mail.text ?? '',
        html: mail.html ?? '',
        replyTo: mail.reply_to?.[0],
        ...headersOf(mail.headers ?? {}),
      })),
  },
  SMTP: {
    provider: createSmtp({
      host: 'localhost',
      security: 'starttls-if-offered',
      auth: null,
      dial: trustedDial('127.0.0.1', Number(smtp.url.port)),
    }),
    arrived: () =>
      Promise.all(
        smtp.ledger.map(async ({ raw, headers }) => {
          const { text = '', html = '' } = await PostalMime.parse(raw)
          const byName = Object.fromEntries(headers)
          return { text, html, replyTo: byName['Reply-To'], ...headersOf(byName) }
        }),
      ),
  },
  SendGrid: {
    provider: createSendgrid({ apiKey: sendgrid.apiKey, baseUrl: sendgrid.url }),
    arrived: async () =>
      sendgrid.ledger.map(({ letter: sent, headers, substitutions }) => {
        const filled = (type: string) =>
          Object.entries(substitutions).reduce(
            (text, [key, value]) => text.replaceAll(key, value),
            sent.content.find((part) => part.type === type)?.value ?? '',
          )
        const replyTo = sent.reply_to?.email
        return { text: filled('text/plain'), html: filled('text/html'), replyTo, ...headersOf(headers) }
      }),
  },
  Mailgun: {
    provider: createMailgun({ apiKey: mailgun.apiKey, baseUrl: mailgun.url }),
    arrived: async () =>
      mailgun.ledger.map(({ mail: { text, html, headers } }) => ({
        text,
        html,
        replyTo: headers['Reply-To'],
        ...headersOf(headers),
      })),
  },
  'Amazon SES': {
    provider: createSes({ ...ses, baseUrl: ses.url }),
    arrived: async () =>
      ses.ledger.map(({ mail: { text, html, headers, replyTo } }) => ({
        text,
        html,
        replyTo: replyTo[0],
        ...headersOf(headers),
      })),
  },
}

describe.each(Object.entries(CASES))('by %s', (_, { provider, arrived }) => {
  it('every copy has its own token wherever the letter has its mark, and all else is as it was written', async () => {
    const outcomes = await provider.send(letter, copies, UNSTOPPED)
    expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'accepted'])
    const mails = await arrived()
    for (const token of [ANN, BOB]) {
      const mail = mails.find(({ html }) => html.includes(token))
      expect(mail?.text.replace(/\r\n/g, '\n').trim()).toBe(letter.text.replaceAll(MARK, token))
      expect(mail?.html.replace('&#37;', '%').trim()).toBe(letter.html.replaceAll(MARK, token))
      expect(mail).toMatchObject({ unsubscribe: `<https://p.test/u/${token}>`, same: 'for all' })
      // A call of these has one reply address for all its recipients.
      const isCommon = provider.name === 'SendGrid' || provider.name === 'Amazon SES'
      expect(mail?.replyTo).toBe(isCommon ? 'ann@in.example.test' : `ann+${token}@in.example.test`)
      expect(mail?.inReplyTo).toBe(letter.headers['In-Reply-To'])
      const references = mail?.references ?? []
      expect(references).toEqual(REFERENCES.slice(-references.length))
      expect(references.length).toBeGreaterThanOrEqual(provider.name === 'Amazon SES' ? 13 : 20)
    }
  })

  it('a mail to one person has the reply address of that person', async () => {
    const token = 'c'.repeat(48)
    await provider.send(letter, [aCopy({ to: 'cid@x.test', token })], UNSTOPPED)
    const mail = (await arrived()).find(({ html }) => html.includes(token))
    expect(mail?.replyTo).toBe(`ann+${token}@in.example.test`)
  })

  it.each([undefined, '', 'x'.repeat(47), `${'x'.repeat(47)} `, `${'x'.repeat(47)}%`])(
    'a copy whose token is %j does not leave',
    async (token) => {
      const { token: _own, ...copy } = aCopy()
      const [outcome] = await provider.send(
        letter,
        [token === undefined ? copy : { ...copy, token }],
        UNSTOPPED,
      )
      expect(outcome).toMatchObject({ kind: 'rejected' })
    },
  )
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { computingTime } from '../test/computing.ts'
import { aCopy, aLetter, UNSTOPPED } from '../test/simulators/a-mail.ts'
import { type MailgunSimulator, startMailgunSimulator } from '../test/simulators/mailgun.ts'
import { createMailgun } from './mailgun.ts'
import type { Copy, Letter } from './provider.ts'

describe('what looks like a placeholder of Mailgun', () => {
  let mailgun: MailgunSimulator
  beforeEach(async () => {
    mailgun = await startMailgunSimulator()
  })
  afterEach(() => mailgun.close())

  async function arrives(letter: Letter, copy: Copy = aCopy()) {
    const provider = createMailgun({ apiKey: mailgun.apiKey, baseUrl: mailgun.url })
    const outcomes = await provider.send(letter, [copy], UNSTOPPED)
    expect(outcomes).toMatchObject([{ kind: 'accepted' }])
    const mail = mailgun.ledger.at(-1)?.mail
    if (!mail) throw new Error('nothing arrived')
    return mail
  }
  /** As a mail program reads it. */
  const shown = (html: string) => html.replaceAll('&#37;', '%')

  it.each([
    '%recipient%',
    '%recipient.mid%',
    '%recipient.percent%',
    '%recipient.h0%',
    '%recipient.nobody%',
    '%recipient.first name%',
    '%RECIPIENT.mid%',
    '%recipient_email%',
    '%recipient_name%',
    '%unsubscribe_url%',
    '%tag_unsubscribe_url%',
    '%mailing_list_unsubscribe_url%',
    '%unsubscribe_email%',
    '%%recipient.mid%%',
    '%recipient.%recipient.mid%%',
    '100%%recipient.mid%',
    '50%off%recipient.mid%',
    '50%ad%recipient.mid%',
    '%invented%',
  ])('arrives as it was written: %s', async (words) => {
    const letter = aLetter({
      from: { name: words, address: 'mail@postrider.localhost' },
      subject: `a ${words} b`,
      text: `a ${words} b`,
      html: `<p title="${words}">a ${words} b</p>`,
      headers: { 'X-Words': words },
    })
    const mail = await arrives(
      letter,
      aCopy({ to: { name: words, address: 'ann@x.test' }, headers: { 'X-Own': words } }),
    )
    expect(mail.from).toBe(`"${words}" <mail@postrider.localhost>`)
    expect(mail.subject).toBe(letter.subject)
    expect(mail.text).toBe(letter.text)
    expect(shown(mail.html)).toBe(letter.html)
    expect(mail.headers).toEqual({ 'X-Words': words, 'X-Own': words })
    expect(mail.to).toEqual(['ann@x.test'])
  })

  it.each([
    '50% off, 20% on top',
    'https://x.test/%E2%82%AC?q=caf%C3%A9',
    '<style>td{width:100%;height:50%}</style>',
    '100%',
    '% recipient %',
  ])('is not seen where there is none: %s', async (words) => {
    const mail = await arrives(aLetter({ subject: words, text: words, html: words }))
    expect(mail).toMatchObject({ subject: words, text: words, html: words })
    const sent = new Map(mailgun.calls[0]?.fields)
    expect([sent.get('subject'), sent.get('text'), sent.get('html')]).toEqual([words, words, words])
  })

  it('costs no time, however often it stands there', async () => {
    const words = '%recipient.mid%%'.repeat(50_000)
    const sendIt = async () => {
      const mail = await arrives(aLetter({ text: words, html: words }))
      expect(mail.text).toBe(words)
    }
    expect(await computingTime(sendIt)).toBeLessThan(5_000)
  })
})

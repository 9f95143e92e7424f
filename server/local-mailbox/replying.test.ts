import PostalMime from 'postal-mime'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { MAILBOX_URL, mailboxOfFile } from '../test/local-mailbox.ts'
import type { aCopy, aLetter } from '../test/simulators/a-mail.ts'
import { REPLY_TEXT_MAX } from './reply-form.ts'

const ORIGIN = MAILBOX_URL.origin
const FORM = 'application/x-www-form-urlencoded'
/** Whoever is at ours.test gets their mail; the rest of the world is elsewhere. */
const taken: { raw: string; from: string; to: string }[] = []
const mailbox = mailboxOfFile({
  receives: async (address) => address.endsWith('@ours.test'),
  async take(raw, { from, to }) {
    if (!to.endsWith('@ours.test')) return false
    taken.push({ raw: raw.toString('latin1'), from, to })
    return true
  },
})
beforeEach(() => {
  taken.length = 0
})

const aMail = (letter: Parameters<typeof aLetter>[0] = {}, copy: Parameters<typeof aCopy>[0] = {}) =>
  mailbox.deposit({ replyTo: 'ann@ours.test', ...letter }, copy)
const post = (id: string, payload: string, headers: Record<string, string> = {}) =>
  mailbox.app.inject({
    method: 'POST',
    url: `/local-mailbox/messages/${id}/reply`,
    headers: { origin: ORIGIN, 'content-type': FORM, ...headers },
    payload,
  })
const words = (text: string): string => new URLSearchParams({ text }).toString()
const hiddenFields = (page: string): Record<string, string> =>
  Object.fromEntries(
    Array.from(page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g), ([, name, value]) => [
      name,
      value,
    ]),
  )
const JSON_TYPE = { 'content-type': 'application/json' }

describe('a reply as the recipient', () => {
  it('is what a mail program would have sent: from the recipient, in the thread, with the words it answers', async () => {
    const id = await aMail(
      {
        subject: 'RE: Grüße an alle',
        from: { name: 'Ann', address: 'mail@postrider.localhost' },
        text: 'Hello Bob,\n\n> earlier words\nbye\n',
        headers: { References: '<root@x.test> <broken <second@x.test>' },
      },
      { to: { name: 'Bób, B.', address: 'bob@x.test' }, messageId: '<42@postrider.localhost>' },
    )
    const page = await mailbox.app.inject(`/local-mailbox?id=${id}&reply=write`)
    expect(page.body).toMatch(/<label for="reply">Reply as bob@x\.test to ann@ours\.test<\/label>/)
    expect(page.headers['referrer-policy']).toBe('same-origin')

    const answer = await post(id, words('Thänks\r\n.\r\nBob'))
    expect(answer).toMatchObject({
      statusCode: 303,
      headers: { location: `/local-mailbox?id=${id}&reply=sent` },
    })
    const later = await mailbox.app.inject(answer.headers.location ?? '')
    expect(later.body).toContain('The reply of bob@x.test has arrived in the inbox at ann@ours.test.')
    expect(taken).toMatchObject([{ from: 'bob@x.test', to: 'ann@ours.test' }])
    const raw = taken[0]?.raw ?? ''
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]|[^\0-\x7f]/)
    const mail = await PostalMime.parse(raw)
    expect(mail).toMatchObject({
      from: { name: 'Bób, B.', address: 'bob@x.test' },
      to: [{ address: 'ann@ours.test' }],
      subject: 'RE: Grüße an alle',
      inReplyTo: '<42@postrider.localhost>',
      references: '<root@x.test> <second@x.test> <42@postrider.localhost>',
    })
    expect(mail.messageId).toMatch(/^<[\w-]+@x\.test>$/)
    expect(Math.abs(Date.now() - Date.parse(mail.date ?? ''))).toBeLessThan(60_000)
    expect(mail.text).toMatch(
      /^Thänks\n\.\nBob\n\nOn \w{3}, \d\d \w{3} \d{4} at \d\d:\d\d UTC, Ann <mail@postrider\.localhost> wrote:\n> Hello Bob,\n>\n>> earlier words\n> bye\n$/,
    )
  })

  it('leads back to what its reader had on the screen', async () => {
    const id = await aMail()
    const page = `/local-mailbox?to=ann%40x.test&id=${id}&view=text`
    const action = /action="(\/local-mailbox\/messages[^"]+)"/.exec(
      (await mailbox.app.inject(`${page}&reply=write`)).body,
    )
    const url = (action?.[1] ?? '').replaceAll('&amp;', '&')
    const headers = { origin: ORIGIN, 'content-type': FORM }
    const answer = await mailbox.app.inject({ method: 'POST', url, headers, payload: words('Yes') })
    expect(answer.headers.location).toBe(`${page}&reply=sent`)
  })

  it('that is sent twice from one form is one mail to the byte, and from another form another', async () => {
    const id = await aMail()
    const { body } = await mailbox.app.inject(`/local-mailbox?id=${id}&reply=write`)
    const form = hiddenFields(body)
    const sent = new URLSearchParams({ ...form, text: 'Yes' }).toString()
    // What was refused, too, is sent from the same form.
    const refused = await post(id, new URLSearchParams({ ...form, text: ' ' }).toString())
    expect(hiddenFields(refused.body)).toEqual(form)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    for (const payload of [sent, sent, words('Yes')]) expect((await post(id, payload)).statusCode).toBe(303)
    vi.useRealTimers()
    const [first, second, other] = taken.map(({ raw }) => raw)
    expect(second).toBe(first)
    expect(other).not.toBe(first)
  })

  it('is taken as JSON too', async () => {
    const answer = await post(await aMail(), JSON.stringify({ text: 'Yes' }), JSON_TYPE)
    expect(answer.json()).toEqual({ from: 'ann@x.test', to: 'ann@ours.test' })
    expect(taken).toHaveLength(1)
  })

  it('goes to the sender where the mail has no reply address, and is never made where nobody here would get it', async () => {
    const id = await aMail({ replyTo: null })
    const sentence =
      'A reply would go to mail@postrider.localhost. That is no inbox of this Postrider: it would leave this machine, and nobody could follow it from here.'
    for (const page of [
      await mailbox.app.inject(`/local-mailbox?id=${id}&reply=write`),
      await post(id, words('Yes')),
    ]) {
      expect(page.body).toContain(sentence)
      expect(page.body).not.toContain('<textarea')
    }
    expect(await post(id, '{"text":"Yes"}', JSON_TYPE)).toMatchObject({ statusCode: 409, body: sentence })
    expect(taken).toHaveLength(0)
  })

  it('needs words, and not too many', async () => {
    const id = await aMail()
    const blank = await post(id, words(' \n '))
    expect(blank.statusCode).toBe(400)
    expect(blank.body).toMatch(/role="alert">Please write something before you send the reply</)
    expect(await post(id, '{"text":" "}', JSON_TYPE)).toMatchObject({ statusCode: 400 })
    expect((await post(id, words('ü'.repeat(REPLY_TEXT_MAX)))).statusCode).toBe(303)
    expect((await post(id, words('x'.repeat(REPLY_TEXT_MAX + 1)))).statusCode).toBe(400)
    expect((await post(id, words('x'.repeat(10 * REPLY_TEXT_MAX)))).statusCode).toBe(413)
    expect((await post('nonsense', words('x'))).statusCode).toBe(404)
    expect(taken).toHaveLength(1)
  })

  it.each([
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { host: 'evil.test' },
  ])('is refused to another site: %j', async (headers) => {
    const { statusCode } = await post(await aMail(), words('x'), headers)
    expect(statusCode).toBe('host' in headers ? 421 : 403)
    expect(taken).toHaveLength(0)
  })

  it('shows hostile words as words', async () => {
    const evil = '</textarea><script>alert(1)</script>'
    const id = await aMail({ subject: evil }, { to: { name: evil, address: 'eve@x.test' } })
    for (const { body } of [
      await post(id, words(' ')),
      await mailbox.app.inject(`/local-mailbox?id=${id}&reply=write&to=${encodeURIComponent(evil)}`),
    ])
      expect(body).not.toContain(evil)
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aCopy, aFullCopy, aFullLetter, aLetter, sendOne, UNSTOPPED } from '../test/simulators/a-mail.ts'
import { type MailgunSimulator, startMailgunSimulator } from '../test/simulators/mailgun.ts'
import { inSilence } from '../test/simulators/silence.ts'
import { createMailgun, type MailgunOptions } from './mailgun.ts'
import type { Copy, Letter } from './provider.ts'

describe('Mailgun', () => {
  let mailgun: MailgunSimulator
  beforeEach(async () => {
    mailgun = await startMailgunSimulator()
  })
  afterEach(() => mailgun.close())

  const connect = (options: Partial<MailgunOptions> = {}) =>
    createMailgun({ apiKey: mailgun.apiKey, baseUrl: mailgun.url, ...options })

  const send = (letter?: Letter, copy?: Copy, options: Partial<MailgunOptions> = {}) =>
    sendOne(connect(options), letter, copy)

  it('is handed the whole mail, and its id is the outcome', async () => {
    const copy = aFullCopy()
    const letter = aFullLetter({ subject: 'Größe 100 %' })
    expect(await send(letter, copy)).toEqual({ kind: 'accepted', id: mailgun.ledger[0]?.id })
    expect(mailgun.ledger[0]).toMatchObject({ id: expect.stringMatching(/^[^<>]+@postrider\.localhost$/) })
    expect(mailgun.ledger[0]?.mail).toEqual({
      from: '"Ann \\"A\\" O\'Hara, Ltd." <mail@postrider.localhost>',
      to: ['"Bob, B." <bob@x.test>'],
      subject: 'Größe 100 %',
      text: letter.text.replaceAll('\n', '\r\n'),
      html: letter.html,
      headers: { ...letter.headers, 'Reply-To': 'ann@corp.test', 'X-Own': '1' },
      variables: { mid: '0192ab-c_d' },
      options: {
        tracking: 'no',
        'tracking-opens': 'no',
        'tracking-clicks': 'no',
        'suppress-headers': 'X-Mailgun-Variables',
      },
      raw: null,
    })
  })

  it('tells what it takes, and never that a call may be repeated', () => {
    const { name, batchMax, concurrency, callsPerSecond, copiesPerSecond, repeatableMs, identity } = connect()
    expect({ name, batchMax, concurrency, callsPerSecond, repeatableMs }).toEqual({
      name: 'Mailgun',
      batchMax: 1000,
      // A crash leaves no more than these in doubt.
      concurrency: 2,
      callsPerSecond: null,
      repeatableMs: 0,
    })
    expect(copiesPerSecond()).toBeNull()
    expect(identity).not.toContain(mailgun.apiKey)
    expect(connect({ baseUrl: null }).identity).toBe(identity)
    expect(connect({ apiKey: 'key-other' }).identity).not.toBe(identity)
  })

  it('says when to try again', async () => {
    mailgun.lieNext({ kind: 'rate-limit', seconds: 120 })
    expect(await send()).toMatchObject({
      kind: 'try-later',
      afterMs: 120_000,
      about: 'account',
      reason: expect.stringContaining('try again after 120 seconds'),
    })
    const fetch = async (url: unknown) =>
      String(url).includes('domains')
        ? Response.json({ total_count: 1, items: [{ name: 'postrider.localhost' }] })
        : Response.json({ message: 'busy' }, { status: 503, headers: { 'retry-after': '7' } })
    expect(await send(aLetter(), aCopy(), { fetch })).toMatchObject({ kind: 'try-later', afterMs: 7000 })
  })

  it.each([
    [400, 'rejected', ''],
    [401, 'try-later', '. Check the API key in the settings'],
    [402, 'try-later', '. Look at the plan and the payments of the Mailgun account'],
    [403, 'try-later', '. Check what the API key may do, and whether Mailgun lets postrider.localhost send'],
    [404, 'try-later', '. Check that postrider.localhost still exists at Mailgun'],
    [405, 'try-later', ''],
    [408, 'try-later', ''],
    [413, 'rejected', ''],
    [422, 'rejected', ''],
    [429, 'try-later', ''],
    [503, 'try-later', ''],
    [500, 'unknown', ''],
    [502, 'unknown', ''],
    [504, 'unknown', ''],
    [302, 'try-later', ''],
  ])('takes %i as %s, in its words and ours', async (status, kind, advice) => {
    mailgun.lieNext({ kind: 'answer', status, message: 'Because of this', when: 'before' })
    const outcome = await send()
    expect(outcome).toMatchObject({ kind, reason: `Mailgun answered ${status}: Because of this${advice}` })
    if (outcome.kind === 'try-later') expect(outcome.about).toBe('account')
  })

  it('keeps the mail for later when the domain may not send, whatever number says so', async () => {
    const message = 'Domain postrider.localhost is not allowed to send: Your account is disabled'
    mailgun.lieNext({ kind: 'answer', status: 400, message, when: 'before' })
    expect(await send()).toMatchObject({ kind: 'try-later', about: 'account' })
  })

  it('keeps the mail for later after a refusal in plain text or in words that are not its own', async () => {
    mailgun.lieNext(
      { kind: 'answer', status: 401, message: 'Forbidden', when: 'before', isText: true },
      { kind: 'answer', status: 400, message: '<html>Blocked</html>', when: 'before', isText: true },
      { kind: 'answer', status: 200, message: 'Mailgun Magnificent API', when: 'before', isText: true },
    )
    expect(await send()).toMatchObject({
      kind: 'try-later',
      reason: expect.stringContaining('401: Forbidden.'),
    })
    expect(await send()).toMatchObject({ kind: 'try-later', reason: 'Mailgun answered 400' })
    expect(await send()).toMatchObject({ kind: 'try-later', about: 'account' })
  })

  it('never shows the key, nor the form in which it travels', async () => {
    const basic = Buffer.from(`api:${mailgun.apiKey}`).toString('base64')
    for (const secret of [mailgun.apiKey, `Basic ${basic}`, basic.replace(/=+$/, '')]) {
      mailgun.lieNext({ kind: 'answer', status: 422, message: `No ${secret}\nno`, when: 'before' })
      const { reason } = { reason: '', ...(await send()) }
      expect(reason).toMatch(/^Mailgun answered 422: No (Basic )?… no$/)
    }
  })

  it('does not know after a reset, a failure or silence, and does not ask twice', async () => {
    mailgun.lieNext(
      { kind: 'reset', when: 'after' },
      { kind: 'reset', when: 'before' },
      { kind: 'answer', status: 500, message: 'x', when: 'after' },
    )
    for (let n = 0; n < 3; n += 1) expect(await send()).toMatchObject({ kind: 'unknown' })
    const outcome = await inSilence(mailgun, 100, () => send(aLetter(), aCopy(), { timeoutMs: 100 }))
    expect(outcome).toMatchObject({ kind: 'unknown' })
    expect(mailgun.calls).toHaveLength(4)
  })

  it('has sent nothing when it was stopped before', async () => {
    const provider = connect()
    const stopped = { kind: 'try-later', about: 'mail', reason: 'Stopped before sending' }
    expect(await provider.send(aLetter(), [aCopy()], AbortSignal.abort())).toMatchObject([stopped])
    const live = UNSTOPPED
    expect(await provider.send(aLetter(), [aCopy()], live, () => false)).toEqual([{ kind: 'not-begun' }])
    expect(mailgun.calls).toHaveLength(0)
  })

  it.each(['127.0.0.1', 'localhost', 'nobody.invalid'])(
    'tries later when nobody answers at %s',
    async (host) => {
      await mailgun.close()
      const baseUrl = new URL(`http://${host}:${mailgun.url.port}`)
      expect(await send(aLetter(), aCopy(), { baseUrl })).toMatchObject({
        kind: 'try-later',
        about: 'account',
      })
    },
  )

  it('tries later when it went away between finding the domain and sending', async () => {
    const provider = connect()
    await provider.send(aLetter(), [aCopy()], UNSTOPPED)
    await mailgun.close()
    expect(await provider.send(aLetter(), [aCopy()], UNSTOPPED)).toMatchObject([
      { kind: 'try-later', about: 'account', reason: 'Mailgun cannot be reached (ECONNREFUSED)' },
    ])
  })

  it.each([
    ['is no JSON', '<html>'],
    ['carries no id', '{}'],
    ['carries an empty id', '{"id":"<>"}'],
  ])('does not know when a 200 %s', async (_, message) => {
    mailgun.lieNext({ kind: 'answer', status: 200, message, when: 'before', isText: true })
    expect(await send()).toMatchObject({ kind: 'unknown' })
  })

  it('refuses what may not leave, and what Mailgun would not take, without a call', async () => {
    expect(await send(aLetter({ subject: 'a\nBcc: x@x.test' }))).toMatchObject({ kind: 'rejected' })
    expect(await send(aLetter(), aCopy({ to: 'a%recipient.mid%@x.test' }))).toMatchObject({
      kind: 'rejected',
      reason: 'Mailgun would read this address as a placeholder',
    })
    const headers = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`X-${n}`, 'y'.repeat(900)]))
    expect(await send(aLetter({ headers }))).toMatchObject({
      kind: 'rejected',
      reason: 'The headers of this letter are longer than the 16 KB that Mailgun takes',
    })
    expect(await send(aLetter({ html: 'x'.repeat(27_000_000) }))).toMatchObject({
      kind: 'rejected',
      reason: 'The letter is larger than the 25 MB that Mailgun takes',
    })
    expect(mailgun.calls).toHaveLength(0)
  })
})

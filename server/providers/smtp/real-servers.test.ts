import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closedAfterEach } from '../../test/closing.ts'
import { hasPostfix, startPostfix, startSmtpSink } from '../../test/postfix.ts'
import { aLetter } from '../../test/simulators/a-mail.ts'
import { RIGHT_NAME, TEST_AUTHORITY } from '../../test/simulators/certificates.ts'
import { anSmtpProvider, people, sendTo } from '../../test/simulators/smtp-client.ts'
import { until } from '../../test/until.ts'
import type { SmtpOptions } from '../smtp.ts'

const isThere = await hasPostfix()
const trusted = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...trusted, TEST_AUTHORITY]))
afterAll(() => setDefaultCACertificates(trusted))

const opened = closedAfterEach()
const aProvider = (port: number, options?: Partial<SmtpOptions>) => opened(anSmtpProvider(port, options))
const recipients = (messages: readonly string[]): string[] =>
  messages.map((message) => /^To: (.*?)\r?$/m.exec(message)?.[1] ?? '').sort()

/** A dot at the start of lines, and no line end that a server would have to guess. */
const letter = aLetter({ text: '.\n..\nthe last line of the text', html: '<p>the end</p>' })

describe.runIf(isThere)('smtp-sink', () => {
  it('takes hundreds of mails over a few connections, each whole and once', async () => {
    const sink = opened(await startSmtpSink())
    const provider = aProvider(sink.port, { connections: 5, messagesPerConnection: 30 })
    const outcomes = await Promise.all(people(500).map((to) => sendTo(provider, to, { letter })))
    expect(outcomes.filter(({ kind }) => kind !== 'accepted')).toEqual([])
    const messages = await sink.messages()
    expect(recipients(messages)).toEqual(people(500).sort())
    for (const message of messages) expect(message).toMatch(/\n\.\r?\n\.\.\r?\nthe last line of the text/)
  })

  it.each([
    ['a soft refusal of each recipient', ['-r', 'rcpt'], { kind: 'try-later', about: 'mail' }],
    ['a hard refusal of each recipient', ['-f', 'rcpt'], { kind: 'rejected' }],
    ['a hard refusal of each mail', ['-f', 'mail'], { kind: 'rejected' }],
    ['a hard refusal of each text', ['-f', '.'], { kind: 'rejected' }],
    ['a cut at each DATA', ['-q', 'data'], { kind: 'try-later', about: 'account' }],
    ['a cut at each end of a text', ['-q', '.'], { kind: 'unknown' }],
    ['no pipelining', ['-p'], { kind: 'accepted' }],
    ['no EHLO', ['-f', 'ehlo'], { kind: 'accepted' }],
    ['neither EHLO nor HELO', ['-f', 'ehlo,helo'], { kind: 'try-later', about: 'account' }],
  ])('with %s', async (_name, flags, expected) => {
    const sink = opened(await startSmtpSink(flags))
    expect(await sendTo(aProvider(sink.port), 'ann@x.test')).toMatchObject(expected)
  })
})

describe.runIf(isThere && process.getuid?.() === 0)('a real Postfix', () => {
  it('takes mail over STARTTLS, refuses a recipient alone, and delivers the rest', {
    tags: 'thorough',
  }, async () => {
    const postfix = opened(await startPostfix(RIGHT_NAME))
    const provider = aProvider(postfix.port, { security: 'starttls-required', connections: 2 })
    expect(await provider.check(new AbortController().signal)).toBeNull()
    const all = [...people(20), 'nobody@x.test', ...people(40).slice(20)]
    const outcomes = await Promise.all(all.map((to) => sendTo(provider, to, { letter })))
    const refused = outcomes.filter(({ kind }) => kind !== 'accepted')
    expect(refused).toMatchObject([{ kind: 'rejected', reason: expect.stringContaining('554 5.7.1') }])
    await until('all are delivered', async () => (await postfix.messages()).length >= 40)
    const messages = await postfix.messages()
    expect(recipients(messages)).toEqual(people(40).sort())
    for (const message of messages) {
      expect(message).toMatch(/\n\.\n\.\.\nthe last line of the text/)
      expect(message).toContain('(Postfix) with ESMTPS')
    }
  })
})

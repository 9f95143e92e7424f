import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hasPostfix, startPostfix, startSmtpSink } from '../../test/postfix.ts'
import { aLetter } from '../../test/simulators/a-mail.ts'
import { RIGHT_NAME, TEST_AUTHORITY } from '../../test/simulators/certificates.ts'
import { anSmtpProvider, sendTo } from '../../test/simulators/smtp-client.ts'
import { until } from '../../test/until.ts'
import type { Provider } from '../provider.ts'
import type { SmtpOptions } from '../smtp.ts'

const isThere = await hasPostfix()
const open: { close(): Promise<void> }[] = []
const trusted = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...trusted, TEST_AUTHORITY]))
afterAll(() => setDefaultCACertificates(trusted))
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close()
})

function aProvider(port: number, options: Partial<SmtpOptions> = {}): Provider {
  const provider = anSmtpProvider(port, options)
  open.push(provider)
  return provider
}

const people = (count: number): string[] => Array.from({ length: count }, (_, n) => `person${n}@x.test`)
const recipients = (messages: readonly string[]): string[] =>
  messages.map((message) => /^To: (.*?)\r?$/m.exec(message)?.[1] ?? '').sort()

/** A dot at the start of lines, and no line end that a server would have to guess. */
const letter = aLetter({ text: '.\n..\nthe last line of the text', html: '<p>the end</p>' })

describe.runIf(isThere)('smtp-sink', () => {
  it('takes hundreds of mails over a few connections, each whole and once', async () => {
    const sink = await startSmtpSink()
    open.push(sink)
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
    const sink = await startSmtpSink(flags)
    open.push(sink)
    expect(await sendTo(aProvider(sink.port), 'ann@x.test')).toMatchObject(expected)
  })
})

describe.runIf(isThere && process.getuid?.() === 0)('a real Postfix', () => {
  it('takes mail over STARTTLS, refuses a recipient alone, and delivers the rest', async () => {
    const postfix = await startPostfix(RIGHT_NAME)
    open.push(postfix)
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

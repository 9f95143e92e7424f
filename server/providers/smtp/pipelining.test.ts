import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { closedAfterEach } from '../../test/closing.ts'
import { aLetter } from '../../test/simulators/a-mail.ts'
import { startSmtpSimulator } from '../../test/simulators/smtp.ts'
import { anSmtpProvider, people, recipientOf, sendAll, sendTo } from '../../test/simulators/smtp-client.ts'
import { type Script, startScriptedRelay } from '../../test/simulators/smtp-script.ts'
import type { SmtpOptions } from '../smtp.ts'

const opened = closedAfterEach()
const aProvider = (port: number, options: Partial<SmtpOptions> = {}) =>
  opened(anSmtpProvider(port, { connections: 1, ...options }))
const scripted = async (script: Script = {}) => opened(await startScriptedRelay(script))

const WITHOUT_PIPELINING = '250-script\r\n250 SIZE 0'

describe('many mails', () => {
  it('go over one connection, each announced behind the text of the one before', async () => {
    // A relay that takes long for its answers is told of no further mail: to this one no time passes.
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const relay = await scripted({
      // Its answer waits until the next mail is announced: without pipelining it would wait for ever.
      '.': async ({ ahead }) => {
        if (relay.messages.length < 5) await ahead(`RCPT TO:<person${relay.messages.length}@`)
        return '250 taken'
      },
    })
    expect(await sendAll(aProvider(relay.port), people(5))).toEqual(people(5).map(() => 'accepted'))
    expect(relay.messages.map(recipientOf)).toEqual(people(5))
    expect(relay.connections()).toBe(1)
  })

  it('go one command at a time to a relay without PIPELINING', async () => {
    const relay = await scripted({
      EHLO: WITHOUT_PIPELINING,
      RCPT: ({ line }) => (line.includes('person1@') ? '550 nobody' : '250 fine'),
    })
    const kinds = await sendAll(aProvider(relay.port), people(4))
    expect(kinds).toEqual(['accepted', 'rejected', 'accepted', 'accepted'])
    expect(relay.messages.map(recipientOf)).toEqual(['person0@x.test', 'person2@x.test', 'person3@x.test'])
    expect(relay.chunks.filter((chunk) => chunk.split('\r\n').length > 2)).toEqual([])
    expect(relay.connections()).toBe(1)
  })

  it('go to a relay that knows only HELO', async () => {
    const relay = await scripted({ EHLO: '502 not implemented' })
    expect(await sendAll(aProvider(relay.port), people(3))).toEqual(people(3).map(() => 'accepted'))
    expect(relay.lines.filter((line) => line.startsWith('HELO'))).toHaveLength(1)
  })

  it('go over the connections that the relay allows, when it refuses another beside them', async () => {
    const refused = Promise.withResolvers<void>()
    const relay = await scripted({
      greeting({ connection, socket }) {
        if (connection === 1) return '220 script'
        socket.once('close', () => refused.resolve())
        return '421 too many connections'
      },
      // The mails still wait when the second connection is refused.
      '.': async () => {
        await refused.promise
        return '250 taken'
      },
    })
    const kinds = await sendAll(aProvider(relay.port, { connections: 2 }), people(6))
    expect(kinds).toEqual(people(6).map(() => 'accepted'))
    expect(relay.messages.map(recipientOf).sort()).toEqual(people(6))
    expect(relay.connections()).toBe(2)
  })

  it('take a new connection after so many', async () => {
    const relay = await scripted()
    const provider = aProvider(relay.port, { messagesPerConnection: 2 })
    expect(await sendAll(provider, people(5))).toEqual(people(5).map(() => 'accepted'))
    expect(relay.connections()).toBe(3)
    expect(relay.lines.filter((line) => line === 'QUIT')).toHaveLength(2)
  })

  it('share one attempt to sign in when the relay refuses it', async () => {
    const relay = await scripted({ EHLO: '250-script\r\n250 AUTH PLAIN', AUTH: '535 wrong' })
    const provider = aProvider(relay.port, { connections: 10, auth: { user: 'u', password: 'p' } })
    expect(await sendAll(provider, people(20))).toEqual(people(20).map(() => 'try-later'))
    expect(relay.lines.filter((line) => line.startsWith('AUTH'))).toHaveLength(1)
  })
})

describe('one bad recipient of many', () => {
  const bad = ['person3@x.test', 'person4@x.test', 'person9@x.test']
  const expected = people(20).map((to) => (bad.includes(to) ? 'rejected' : 'accepted'))
  const good = people(20).filter((to) => !bad.includes(to))

  it.each([1, 3])('fails alone, and its neighbours arrive (connections: %i)', async (connections) => {
    const relay = opened(await startSmtpSimulator({ unknownRecipients: bad }))
    expect(await sendAll(aProvider(Number(relay.url.port), { connections }), people(20))).toEqual(expected)
    expect(relay.ledger.flatMap(({ to }) => to).sort()).toEqual(good.toSorted())
    expect(relay.ledger.map(({ raw }) => recipientOf(raw)).sort()).toEqual(good.toSorted())
  })

  it.each([
    ['354', '354 go on all the same'],
    ['503', '503 no recipients'],
    ['554', '554 no valid recipients'],
  ])('fails alone where DATA behind it is answered with %s', async (_code, answer) => {
    let isRefused = false
    const relay = await scripted({
      RCPT({ line }) {
        isRefused = bad.some((address) => line.includes(address))
        return isRefused ? '550 nobody' : '250 fine'
      },
      DATA: () => (isRefused ? answer : '354 go on'),
    })
    expect(await sendAll(aProvider(relay.port), people(20))).toEqual(expected)
    expect(relay.messages.map(recipientOf).sort()).toEqual(good.toSorted())
  })

  it('leaves nothing of itself to the next: RSET comes first', async () => {
    let isRefused = false
    const relay = await scripted({
      RCPT({ line }) {
        isRefused = line.includes('person0@')
        return isRefused ? '450 later' : '250 fine'
      },
      DATA: () => (isRefused ? '503 no recipients' : '354 go on'),
    })
    expect(await sendAll(aProvider(relay.port), people(2))).toEqual(['try-later', 'accepted'])
    expect(relay.lines.map((line) => line.slice(0, 4))).toEqual([
      'EHLO',
      'MAIL',
      'RCPT',
      'DATA',
      'RSET',
      'MAIL',
      'RCPT',
      'DATA',
    ])
  })
})

describe('what a relay can do', () => {
  it('decides what MAIL says', async () => {
    const relay = opened(await startSmtpSimulator())
    const provider = aProvider(Number(relay.url.port))
    await sendTo(provider, 'ann@x.test')
    await sendTo(provider, 'änn@x.test')
    await sendTo(provider, 'ann@bücher.test')
    const mails = relay.commands.filter((line) => /^(MAIL|RCPT)/.test(line))
    expect(mails[0]).toBe('MAIL FROM:<mail@postrider.localhost>')
    expect(mails[2]).toBe('MAIL FROM:<mail@postrider.localhost> BODY=8BITMIME SMTPUTF8')
    expect(mails[4]).toBe('MAIL FROM:<mail@postrider.localhost>')
    expect(mails[5]).toBe('RCPT TO:<ann@xn--bcher-kva.test>')
    expect(relay.ledger).toHaveLength(3)
  })

  it('rejects only the mail that it cannot take, before a word about it', async () => {
    const relay = opened(await startSmtpSimulator({ sizeMax: 2000, without: ['SMTPUTF8'] }))
    const provider = aProvider(Number(relay.url.port))
    const letter = aLetter({ html: 'x'.repeat(3000) })
    const outcomes = await Promise.all([
      sendTo(provider, 'ann@x.test'),
      sendTo(provider, 'large@x.test', { letter }),
      sendTo(provider, 'änn@x.test'),
      sendTo(provider, 'bob@x.test'),
    ])
    expect(outcomes).toMatchObject([
      { kind: 'accepted' },
      {
        kind: 'rejected',
        reason: expect.stringMatching(/^The mail has \d+ bytes, and the relay takes at most 2000$/),
      },
      { kind: 'rejected', reason: expect.stringContaining('SMTPUTF8') },
      { kind: 'accepted' },
    ])
    expect(relay.commands.filter((line) => line.startsWith('MAIL'))).toHaveLength(2)
    expect(relay.commands.find((line) => line.startsWith('MAIL'))).toMatch(/ SIZE=\d{3}$/)
  })
})

import { afterEach, describe, expect, it, vi } from 'vitest'
import { closedAfterEach } from '../../test/closing.ts'
import { aLetter } from '../../test/simulators/a-mail.ts'
import { type SmtpFault, type SmtpStage, startSmtpSimulator } from '../../test/simulators/smtp.ts'
import { anSmtpProvider, recipientOf, sendTo as send } from '../../test/simulators/smtp-client.ts'
import { type Script, startScriptedRelay } from '../../test/simulators/smtp-script.ts'
import type { Outcome } from '../provider.ts'
import type { SmtpOptions } from '../smtp.ts'

const opened = closedAfterEach()
// Before anything is closed: what is registered last goes first.
afterEach(() => {
  vi.useRealTimers()
})

const AUTH = { user: 'ann', password: 'secret' }

const aProvider = (port: number, options?: Partial<SmtpOptions>) => opened(anSmtpProvider(port, options))
const scripted = async (script: Script) => opened(await startScriptedRelay(script))

/** More than the buffers of two sockets hold. */
const LONG = `${'x'.repeat(70)}\n`.repeat(250_000)

const LATER = { kind: 'try-later', about: 'account' }
const HOURS = { ...LATER, afterMs: 3_600_000 }
const MAIL_LATER = { kind: 'try-later', about: 'mail' }
const REJECTED = { kind: 'rejected' }
const UNKNOWN = { kind: 'unknown' }

describe('the outcome of a fault', () => {
  // What a relay does at a stage, and what it makes of the mail. Before MAIL everything is about the relay or our
  // account with it; a cut or silence leaves a doubt only when the final dot was written.
  const TABLE: Record<SmtpStage, Record<'4xx' | '5xx' | 'drop' | 'stall', object>> = {
    greeting: { '4xx': LATER, '5xx': LATER, drop: LATER, stall: LATER },
    ehlo: { '4xx': LATER, '5xx': LATER, drop: LATER, stall: LATER },
    auth: { '4xx': LATER, '5xx': LATER, drop: LATER, stall: LATER },
    mail: { '4xx': MAIL_LATER, '5xx': REJECTED, drop: LATER, stall: LATER },
    rcpt: { '4xx': MAIL_LATER, '5xx': REJECTED, drop: LATER, stall: LATER },
    data: { '4xx': MAIL_LATER, '5xx': REJECTED, drop: LATER, stall: LATER },
    dot: { '4xx': MAIL_LATER, '5xx': REJECTED, drop: UNKNOWN, stall: UNKNOWN },
  }
  const DOES = {
    '4xx': { code: 451, text: 'not now' },
    '5xx': { code: 554, text: 'not ever' },
    drop: 'drop',
    stall: 'silence',
  } as const
  const cells = Object.entries(TABLE).flatMap(([stage, row]) =>
    Object.entries(row).map(([fault, expected]) => ({ stage, fault, expected }) as Cell),
  )
  type Cell = { stage: SmtpStage; fault: keyof typeof DOES; expected: object }

  it('is in a table of seven stages and four faults', () => expect(cells).toHaveLength(28))

  it.each(cells)('$fault at $stage', async ({ stage, fault, expected }) => {
    const relay = opened(await startSmtpSimulator({ auth: { user: AUTH.user, pass: AUTH.password } }))
    const does: SmtpFault = { stage, does: DOES[fault] }
    // A second time, because a relay that does not know EHLO is asked with HELO.
    relay.failNext(...(stage === 'ehlo' ? [does, does] : [does]))
    const timeouts = fault !== 'stall' ? {} : stage === 'dot' ? { dotMs: 200 } : { replyMs: 200 }
    const provider = aProvider(Number(relay.url.port), { auth: AUTH, timeouts })
    const outcome = await send(provider)
    expect(outcome).toMatchObject(expected)
    if (typeof does.does === 'object')
      expect('reason' in outcome && outcome.reason).toContain(`${does.does.code} ${does.does.text}`)
    expect(relay.ledger).toHaveLength(0)
  })

  it.each([
    ['MAIL', '421 closing', LATER],
    ['RCPT', '421 closing', LATER],
    ['DATA', '421 closing', LATER],
    ['.', '421 closing', LATER],
    ['MAIL', '503 out of order', LATER],
    ['MAIL', '530 sign in first', LATER],
    ['RCPT', '535 credentials', LATER],
    [
      'MAIL',
      '550-5.4.5 Daily user sending limit exceeded. For more information on Gmail\r\n550 5.4.5 go to',
      HOURS,
    ],
    ['.', '550 5.4.5 Daily SMTP relay sending limit exceeded for user.', HOURS],
    ['RCPT', '550 5.4.5 unable to route', REJECTED],
    ['MAIL', '354 go on', LATER],
    ['DATA', '250 fine', LATER],
    ['.', '354 go on', UNKNOWN],
    ['.', 'what?', UNKNOWN],
    ['RCPT', 'what?', LATER],
  ] as const)('%s answered with "%s"', async (verb, line, expected) => {
    const relay = await scripted({ [verb]: line })
    expect(await send(aProvider(relay.port))).toMatchObject(expected)
    expect(relay.messages).toHaveLength(verb === '.' ? 1 : 0)
  })

  it('of a refusal in the middle of a long text is that refusal, and no doubt', async () => {
    const relay = await scripted({
      // The text is not read: the reply comes while it is still being written.
      DATA({ socket }) {
        socket.write('354 go on\r\n')
        socket.pause()
        return '552 too much'
      },
    })
    const letter = aLetter({ html: LONG })
    expect(await send(aProvider(relay.port), 'ann@x.test', { letter })).toEqual({
      kind: 'rejected',
      reason: '552 too much',
    })
  })

  it('of a cut in the middle of a long text is another try, since the dot had not left', async () => {
    const relay = await scripted({
      DATA({ socket }) {
        socket.removeAllListeners('data').once('data', () => socket.resetAndDestroy())
        return '354 go on'
      },
    })
    const letter = aLetter({ html: LONG })
    expect(await send(aProvider(relay.port), 'ann@x.test', { letter })).toMatchObject(LATER)
  })

  it('of silence after the dot is doubt, but not before ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const reached = Promise.withResolvers<void>()
    const relay = await scripted({
      '.': () => {
        reached.resolve()
        return null
      },
    })
    let outcome: Outcome | null = null
    const sent = send(aProvider(relay.port)).then((result) => {
      outcome = result
    })
    await reached.promise
    await vi.advanceTimersByTimeAsync(599_000)
    expect(outcome).toBeNull()
    await vi.advanceTimersByTimeAsync(2_000)
    await sent
    expect(outcome).toEqual({ kind: 'unknown', reason: 'The relay did not answer within 600 seconds' })
  })
})

describe('a hostile relay', () => {
  it.each([
    ['a line without end', `220 ${'x'.repeat(100_000)}`],
    ['a reply without end', '220-x\r\n'.repeat(1000)],
    ['lines of one reply that disagree', '220-x\r\n550 y'],
    ['another protocol', 'HTTP/1.1 200 OK'],
    ['a reply before its question', '220 x\r\n250 y'],
  ])('is left at %s', async (_name, greeting) => {
    const relay = await scripted({ greeting })
    expect(await send(aProvider(relay.port))).toMatchObject(LATER)
    expect(relay.lines.filter((line) => !line.startsWith('EHLO'))).toEqual([])
  })

  it('is left at a goodbye right behind its readiness', async () => {
    const relay = await scripted({ EHLO: '250-script\r\n250 PIPELINING\r\n421 bye' })
    const outcome = await send(aProvider(relay.port))
    expect(outcome).toMatchObject({ ...LATER, reason: expect.stringContaining('421 bye') })
  })

  it('S33: is not quoted with the password or without end, where it says too much behind its readiness', async () => {
    const much = Array.from({ length: 3 }, () => `250-${AUTH.password} ${'x'.repeat(300)}\0`)
    const relay = await scripted({
      EHLO: '250-script\r\n250 AUTH PLAIN',
      AUTH: ['235 ok', ...much, '250 done'].join('\r\n'),
    })
    const outcome = await send(aProvider(relay.port, { auth: AUTH }))
    expect(outcome).toMatchObject({ ...LATER, reason: expect.stringContaining('out of turn: 250 … xxx') })
    expect(JSON.stringify(outcome)).not.toMatch(/secret|\\u0000/)
    expect(JSON.stringify(outcome).length).toBeLessThan(500)
  })

  it('cannot win time by sending one byte after the other', async () => {
    const relay = await scripted({
      greeting({ socket }) {
        const drip = setInterval(() => socket.write('2'), 20)
        socket.on('close', () => clearInterval(drip))
        return null
      },
    })
    expect(await send(aProvider(relay.port, { timeouts: { replyMs: 300 } }))).toMatchObject(LATER)
  })

  it('hears nothing before it has greeted', async () => {
    const relay = await scripted({ greeting: null })
    expect(await send(aProvider(relay.port, { timeouts: { replyMs: 300 } }))).toMatchObject(LATER)
    expect(relay.chunks).toEqual([])
  })
})

describe('a stop', () => {
  it('before the mail has begun, while it is announced, and after its dot', async () => {
    const dot = Promise.withResolvers<string>()
    const written = Promise.withResolvers<void>()
    const relay = await scripted({
      '.': () => {
        written.resolve()
        return dot.promise
      },
    })
    const provider = aProvider(relay.port, { connections: 1 })
    const [stopFirst, stopRest] = [new AbortController(), new AbortController()]
    const first = send(provider, 'first@x.test', stopFirst)
    await written.promise
    const second = send(provider, 'second@x.test', stopRest)
    const third = send(provider, 'third@x.test', stopRest)
    stopRest.abort()
    expect(await second).toEqual({ ...LATER, reason: 'Stopped before sending', afterMs: null })
    expect(await third).toEqual({ ...LATER, reason: 'Stopped before sending', afterMs: null })
    stopFirst.abort()
    expect(await first).toEqual({ kind: 'unknown', reason: 'Stopped while sending' })
    dot.resolve('250 taken')
    // The relay says 354 for the second now. The fourth needs another connection: the first was left at that point.
    expect(await send(provider, 'fourth@x.test')).toMatchObject({ kind: 'accepted' })
    expect(relay.messages.map(recipientOf)).toEqual(['first@x.test', 'fourth@x.test'])
  })

  it('of one mail leaves the others alone', async () => {
    const relay = await scripted({})
    const provider = aProvider(relay.port, { connections: 2 })
    const stop = new AbortController()
    const kept = Array.from({ length: 20 }, (_, n) => send(provider, `kept${n}@x.test`))
    const stopped = Array.from({ length: 20 }, (_, n) => send(provider, `stopped${n}@x.test`, stop))
    stop.abort()
    expect((await Promise.all(kept)).map(({ kind }) => kind)).toEqual(kept.map(() => 'accepted'))
    for (const outcome of await Promise.all(stopped)) expect(['unknown', 'try-later']).toContain(outcome.kind)
  })
})

import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { aCopy, aLetter } from '../../simulators/a-mail.ts'
import { until } from '../../until.ts'
import { chanceOf, mulberry32 } from '../chance.ts'
import { OWN_KINDS, providerAt } from '../own-accounts.ts'
import { aLedger } from './ledger.ts'

/** Says everything at once, as a pipelining client may, and gathers what comes back until the end. */
async function talk(port: number | undefined, words: string): Promise<string> {
  const socket = connect(port ?? 0, '127.0.0.1').setEncoding('latin1')
  let heard = ''
  socket.on('data', (chunk) => (heard += chunk)).on('error', () => {})
  socket.write(words)
  await new Promise((resolve) => socket.on('close', resolve))
  return heard
}

const mail = (to: string) =>
  `MAIL FROM:<a@x.test>\r\nRCPT TO:<${to}>\r\nDATA\r\nMessage-ID: <${to}>\r\n\r\nHello\r\n.\r\n`
const codes = (heard: string) => heard.match(/^\d{3} /gm)?.map(Number) ?? []
const addresses = (entries: { to: string }[]) => entries.map(({ to }) => to)

describe('the SMTP ledger', () => {
  it('has noted every mail before it says so, also from a client that asks for all at once', async () => {
    await using ledger = await aLedger('smtp', { doors: 2 })
    const words = `EHLO me\r\n${mail('ann@x.test')}${mail('bob@x.test')}QUIT\r\n`
    expect(codes(await talk(ledger.ports[1], words))).toEqual([
      220, 250, 250, 250, 354, 250, 250, 250, 354, 250, 221,
    ])
    expect(await ledger.acceptances()).toMatchObject([
      { to: 'ann@x.test', messageId: '<ann@x.test>', door: 1 },
      { to: 'bob@x.test', messageId: '<bob@x.test>', door: 1 },
    ])
  })

  it('lies as it is told, and notes the lie', async () => {
    await using ledger = await aLedger('smtp')
    const [port] = ledger.ports
    await ledger.behave({
      always: {
        taken: 'accept-then-drop',
        lost: 'drop-at-dot',
        early: 'drop-at-data',
        later: 'refuse-for-now',
        never: 'refuse',
      },
    })
    for (const name of ['taken', 'lost', 'early']) await talk(port, mail(`${name}@x.test`))
    expect(codes(await talk(port, `${mail('later@x.test')}QUIT\r\n`))).toContain(451)
    expect(codes(await talk(port, `${mail('never@x.test')}QUIT\r\n`))).toContain(550)
    expect(addresses(await ledger.acceptances())).toEqual(['taken@x.test'])
    const lies = (await ledger.entries()).filter(({ kind }) => kind === 'lie')
    expect(lies).toMatchObject(
      ['taken', 'lost', 'early', 'later', 'never'].map((to) => ({ to: `${to}@x.test` })),
    )
  })

  it('takes a mail whose sender died while it was thinking', async () => {
    await using ledger = await aLedger('smtp')
    await ledger.behave({ delayMs: 200 })
    const socket = connect(ledger.ports[0] ?? 0, '127.0.0.1').setEncoding('latin1')
    let heard = ''
    socket.on('data', (chunk) => (heard += chunk))
    socket.write(mail('ann@x.test'))
    await until('the mail may come', async () => codes(heard).includes(354))
    socket.resetAndDestroy()
    await until('the mail is taken', async () => (await ledger.acceptances()).length === 1)
  })

  it('is down and up again at the same door', async () => {
    await using ledger = await aLedger('smtp')
    await ledger.behave({ state: 'down' })
    expect(await talk(ledger.ports[0], 'QUIT\r\n')).toBe('')
    await ledger.behave({ state: 'failing' })
    expect(codes(await talk(ledger.ports[0], 'QUIT\r\n'))).toEqual([421])
    await ledger.behave({ state: 'up' })
    expect(codes(await talk(ledger.ports[0], 'QUIT\r\n'))).toEqual([220, 221])
  })
})

describe('the Resend ledger', () => {
  const post = async (url: string, to: string) =>
    fetch(`${url}/emails`, {
      method: 'POST',
      headers: { authorization: 'Bearer re_ledger', 'user-agent': 'test', 'idempotency-key': to },
      body: JSON.stringify({ from: 'a@postrider.localhost', to: [`Ann <${to}>`], subject: 's', text: 't' }),
    }).then(
      ({ status }) => status,
      () => null,
    )

  it('notes what is taken, once for each key, whatever it answers', async () => {
    await using ledger = await aLedger('resend')
    const url = ledger.env()['RESEND_BASE_URL'] ?? ''
    await ledger.behave({ lies: { 'accept-then-drop': 1 } })
    expect(await post(url, 'ann@x.test')).toBe(null)
    await ledger.behave({ lies: {} })
    expect(await post(url, 'ann@x.test')).toBe(200)
    await ledger.behave({ lies: { 'rate-limit': 1 } })
    expect(await post(url, 'bob@x.test')).toBe(429)
    await ledger.behave({ state: 'failing' })
    expect(await post(url, 'bob@x.test')).toBe(500)
    await ledger.behave({ state: 'down' })
    expect(await post(url, 'bob@x.test')).toBe(null)
    expect(addresses(await ledger.acceptances())).toEqual(['ann@x.test'])
    const calls = (await ledger.entries()).flatMap((entry) => (entry.kind === 'call' ? [entry.status] : []))
    expect(calls).toEqual([null, 200, 429, 500])
  })
})

describe('the ledgers of users’ own providers', () => {
  const copy = (name: string) => aCopy({ to: `${name}@x.test`, messageId: `<${name}@postrider.localhost>` })
  const asked = new AbortController().signal

  it.each(OWN_KINDS)('%s notes what is taken, and who was lied to, whatever it answers', async (kind) => {
    await using ledger = await aLedger(kind)
    const provider = providerAt(kind, new URL(Object.values(ledger.env())[0] ?? ''))
    const send = async (...names: string[]) =>
      (await provider.send(aLetter(), names.map(copy), asked)).map((outcome) => outcome.kind)
    await ledger.plan(['accept-then-drop', 'accept-then-fail', 'fail', 'rate-limit', 'refuse-for-now'])
    expect(await send('ann', 'bob')).toEqual(['unknown', 'unknown'])
    expect(await send('cid')).toEqual(['unknown'])
    expect(await send('dan')).toEqual(['unknown'])
    expect(await send('eve')).toEqual(['try-later'])
    expect(await send('fay')).toEqual(['try-later'])
    expect(await send('gus')).toEqual(['accepted'])
    await ledger.behave({ state: 'unable' })
    expect(await send('hal')).toEqual(['unknown'])
    expect(await provider.check(asked)).toBe(null)
    await ledger.behave({ state: 'failing' })
    expect(await provider.check(asked)).not.toBe(null)
    await ledger.behave({ state: 'down' })
    expect(await send('ida')).toEqual(['try-later'])

    const of = (names: string) => names.split(' ').map((name) => `${name}@x.test`)
    expect(addresses(await ledger.acceptances())).toEqual(of('ann bob cid gus'))
    const entries = await ledger.entries()
    expect(addresses(entries.filter((entry) => entry.kind === 'lie'))).toEqual(
      of('ann bob cid dan eve fay hal'),
    )
    const calls = entries.filter((entry) => entry.kind === 'call').filter(({ isSending }) => isSending)
    const accepted = kind === 'sendgrid' ? 202 : 200
    expect(calls.map(({ status }) => status)).toEqual([null, 500, 500, 429, 503, accepted, 500])
    expect(calls.map(({ retryAfter }) => retryAfter !== null)).toEqual(
      calls.map(({ status }) => status === 429),
    )
  })
})

describe('chance', () => {
  it('repeats itself for the same seed, and spreads', () => {
    const [first, again] = [mulberry32(7), mulberry32(7)]
    expect(Array.from({ length: 5 }, first)).toEqual(Array.from({ length: 5 }, again))
    const shares = Array.from({ length: 2000 }, (_, index) => chanceOf(1, `p${index}@x.test`, 0))
    expect(shares.filter((share) => share < 0.1).length / 2000).toBeCloseTo(0.1, 1)
    expect(new Set(shares).size).toBeGreaterThan(1990)
  })
})

import { describe, expect, it } from 'vitest'
import { closedAfterEach } from '../../test/closing.ts'
import { aCopy, aLetter } from '../../test/simulators/a-mail.ts'
import { anSmtpProvider, people, recipientOf, sendAll, sendTo } from '../../test/simulators/smtp-client.ts'
import { type Script, startScriptedRelay } from '../../test/simulators/smtp-script.ts'
import { until } from '../../test/until.ts'
import type { SmtpOptions } from '../smtp.ts'

const opened = closedAfterEach()
const aProvider = (port: number, options: Partial<SmtpOptions> = {}) =>
  opened(anSmtpProvider(port, { connections: 1, ...options }))
const scripted = async (script: Script = {}) => opened(await startScriptedRelay(script))

describe('a connection that has served before', () => {
  it.each(['a cut', '421 idle for too long'])(
    'and ends with %s is no outcome of the next mail',
    async (end) => {
      const relay = await scripted({
        MAIL({ socket, connection }) {
          if (connection > 1 || relay.messages.length === 0) return '250 fine'
          if (end !== 'a cut') return end
          socket.destroy()
          return null
        },
      })
      const provider = aProvider(relay.port)
      expect(await sendTo(provider, 'first@x.test')).toMatchObject({ kind: 'accepted' })
      expect(await sendTo(provider, 'second@x.test')).toMatchObject({ kind: 'accepted' })
      expect(relay.connections()).toBe(2)
      expect(relay.messages.map(recipientOf)).toEqual(['first@x.test', 'second@x.test'])
    },
  )

  it('is tried again once, not for ever', async () => {
    let isClosing = false
    const relay = await scripted({ MAIL: () => (isClosing ? '421 closing' : '250 fine') })
    const provider = aProvider(relay.port)
    await sendTo(provider, 'first@x.test')
    isClosing = true
    expect(await sendTo(provider, 'second@x.test')).toMatchObject({ kind: 'try-later', about: 'account' })
    expect(relay.connections()).toBe(2)
  })

  it('and breaks at a dot leaves no doubt about the mail announced behind it', async () => {
    const relay = await scripted({
      '.': async ({ socket, connection, ahead }) => {
        if (connection > 1) return '250 taken'
        await ahead('second@')
        socket.resetAndDestroy()
        return null
      },
    })
    const provider = aProvider(relay.port)
    const [first, second] = await Promise.all([
      sendTo(provider, 'first@x.test'),
      sendTo(provider, 'second@x.test'),
    ])
    expect(first).toMatchObject({ kind: 'unknown' })
    expect(second).toMatchObject({ kind: 'accepted' })
    expect(relay.messages.map(recipientOf)).toEqual(['first@x.test', 'second@x.test'])
  })

  it('is closed with QUIT when it has been idle', async () => {
    const gone = Promise.withResolvers<void>()
    const relay = await scripted({
      QUIT({ socket }) {
        socket.once('close', () => gone.resolve())
        return '221 bye'
      },
    })
    const provider = aProvider(relay.port, { timeouts: { idleMs: 50 } })
    expect(await sendTo(provider, 'first@x.test')).toMatchObject({ kind: 'accepted' })
    await gone.promise
    expect(await sendTo(provider, 'second@x.test')).toMatchObject({ kind: 'accepted' })
    expect(relay.connections()).toBe(2)
  })
})

describe('the end', () => {
  it('says QUIT on every connection and keeps none', async () => {
    const relay = await scripted()
    const provider = aProvider(relay.port, { connections: 3 })
    await sendAll(provider, people(30))
    await provider.close()
    expect(relay.lines.filter((line) => line === 'QUIT')).toHaveLength(relay.connections())
    expect(await sendTo(provider)).toMatchObject({ kind: 'try-later', reason: 'Stopped before sending' })
  })

  it('does not wait for a relay that keeps silent, and tells each mail what became of it', async () => {
    const reached = Promise.withResolvers<void>()
    const relay = await scripted({
      '.': () => {
        reached.resolve()
        return null
      },
    })
    const provider = aProvider(relay.port, { timeouts: { quitMs: 100 } })
    const [first, second, third] = people(3).map((to) => sendTo(provider, to))
    await reached.promise
    await provider.close()
    expect(await first).toMatchObject({ kind: 'unknown' })
    expect(await second).toMatchObject({ kind: 'try-later', about: 'account' })
    expect(await third).toMatchObject({ kind: 'try-later', about: 'account' })
  })
})

describe('a mail that waits for its turn', () => {
  it('does not leave any more when it is no longer wanted, and the relay never hears of it', async () => {
    const answer = Promise.withResolvers<string>()
    const relay = await scripted({ '.': () => answer.promise })
    const provider = aProvider(relay.port)
    let isWanted = true
    const signal = new AbortController().signal
    const copies = people(4).map((address) => aCopy({ to: address }))
    const sending = provider.send(aLetter(), copies, signal, () => isWanted)
    await until('the first text is on its way', async () => relay.messages.length === 1)
    isWanted = false
    answer.resolve('250 taken')
    const kinds = (await sending).map(({ kind }) => kind)
    expect(kinds.slice(2)).toEqual(['not-begun', 'not-begun'])
    expect(relay.messages.length).toBe(kinds.filter((kind) => kind === 'accepted').length)
  })

  it('comes back when it is recalled, while the answer to the one before does not come', async () => {
    const relay = await scripted({ '.': () => new Promise(() => {}) })
    const provider = aProvider(relay.port)
    const unwanted = new Set<string>()
    const silent = new AbortController()
    const sending = people(4).map((to) =>
      provider.send(aLetter(), [aCopy({ to })], silent.signal, () => !unwanted.has(to)),
    )
    await until('the first text is on its way', async () => relay.messages.length === 1)
    const [, , third, fourth] = people(4)
    if (!third || !fourth) throw new Error('there are four')
    unwanted.add(third)
    provider.recall?.()
    expect(await sending[2]).toEqual([{ kind: 'not-begun' }])
    unwanted.add(fourth)
    provider.recall?.()
    expect(await sending[3]).toEqual([{ kind: 'not-begun' }])
    silent.abort()
    expect(await sending[0]).toMatchObject([{ kind: 'unknown' }])
  })

  it('behind one whose answer does not come goes to another connection', { tags: 'thorough' }, async () => {
    let isFirst = true
    const relay = await scripted({
      '.': () => {
        if (!isFirst) return '250 taken'
        isFirst = false
        return new Promise(() => {})
      },
    })
    const provider = aProvider(relay.port, { connections: 2, timeouts: { dotMs: 30_000 } })
    const silent = new AbortController()
    const first = sendTo(provider, 'first@x.test', { signal: silent.signal })
    await until('the first text is on its way', async () => relay.messages.length === 1)
    expect(await sendAll(provider, people(3))).toEqual(['accepted', 'accepted', 'accepted'])
    silent.abort()
    expect(await first).toMatchObject({ kind: 'unknown' })
  })
})

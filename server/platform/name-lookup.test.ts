import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freePort } from '../test/free-port.ts'
import { machineNow, millisecondsSince } from '../test/machine-clock.ts'
import { startNameServer } from '../test/simulators/name-server.ts'
import { until } from '../test/until.ts'
import { createDialer } from './dialer.ts'
import { createNameLookup, isUnknownName, lookUpAsSystem } from './name-lookup.ts'

const failure = (question: Promise<unknown>): Promise<unknown> =>
  question.then(
    (answer) => expect.fail(`answered: ${answer}`),
    (error: unknown) => error,
  )

describe('a name that anybody may give', () => {
  it('is answered for while a hundred others wait for domains that keep silent', async () => {
    using server = await startNameServer({
      'mail.example.com': ['192.0.2.1'],
      ...Object.fromEntries(
        Array.from({ length: 100 }, (_, n) => [`${n}.silent.example`, 'silent'] as const),
      ),
    })
    const lookUp = createNameLookup({ servers: [server.address] })
    const over = new AbortController()
    const silent = Array.from({ length: 100 }, (_, n) => failure(lookUp(`${n}.silent.example`, over.signal)))
    await until('all were asked for', () => new Set(server.asked).size === 100)

    expect(await lookUp('mail.example.com')).toEqual(['192.0.2.1'])
    // And the few threads of the system are free for everybody else.
    expect(await lookUpAsSystem('localhost')).not.toEqual([])
    over.abort()
    expect(await Promise.all(silent)).toEqual(
      silent.map(() => expect.objectContaining({ code: 'ECANCELLED' })),
    )
  })

  it('has the addresses of both families, those of IPv4 first', async () => {
    using server = await startNameServer({
      'mail.example.com': ['2001:db8:0:0:0:0:0:1', '192.0.2.1', '192.0.2.2'],
      'six.example.com': ['2001:db8:0:0:0:0:0:6'],
    })
    const lookUp = createNameLookup({ servers: [server.address] })
    expect(await lookUp('mail.example.com')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1'])
    expect(await lookUp('six.example.com')).toEqual(['2001:db8::6'])
  })

  it('is found though its name server keeps silent about one family', { tags: 'thorough' }, async () => {
    using server = await startNameServer({ 'mail.example.com': 'silent about IPv6' })
    const start = machineNow()
    expect(await createNameLookup({ servers: [server.address] })('mail.example.com')).toEqual(['192.0.2.7'])
    // To ask again and again until it is clear that nothing comes takes almost half a minute.
    expect(millisecondsSince(start)).toBeLessThan(10_000)
  })

  it('is unknown only if the answer says so', async () => {
    using server = await startNameServer({ 'empty.example.com': [], 'ill.example.com': 'in trouble' })
    const lookUp = createNameLookup({ servers: [server.address] })
    expect(isUnknownName(await failure(lookUp('nobody.example.com')))).toBe(true)
    expect(isUnknownName(await failure(lookUp('empty.example.com')))).toBe(true)
    expect(isUnknownName(await failure(lookUp('ill.example.com')))).toBe(false)
  })

  it('that stands in the hosts file is asked of nobody', async () => {
    using server = await startNameServer({ 'mail.example.com': ['192.0.2.1'] })
    const hostsFile = join(await mkdtemp(join(tmpdir(), 'hosts-')), 'hosts')
    await writeFile(
      hostsFile,
      '#10.0.0.1 mail.example.com\n10.0.0.5\tMail.Example.com  mail # ours\n::1 other\n',
    )
    const lookUp = createNameLookup({ servers: [server.address], hostsFile })
    expect(await lookUp('mail.example.com')).toEqual(['10.0.0.5'])
    expect(server.asked).toEqual([])
  })

  it('is asked of the system where no name server is', async () => {
    const lookUp = createNameLookup({ servers: [`127.0.0.1:${await freePort()}`] })
    expect(await failure(lookUp('nobody.invalid'))).toMatchObject({ syscall: 'getaddrinfo' })
  })

  it('that leads into a private network is refused by the dialer, whoever answered', async () => {
    using server = await startNameServer({ 'mail.example.com': ['8.8.8.8', '10.0.0.1'] })
    const dialTo = createDialer({
      allowedPrivate: [],
      resolve: createNameLookup({ servers: [server.address] }),
    })
    expect(await failure(dialTo('mail.example.com', 25)({ timeoutMs: 60_000 }))).toMatchObject({
      kind: 'not-allowed',
    })
  })

  it('whose domain keeps silent costs its asker no more than the time that was given', async () => {
    using server = await startNameServer({ 'mail.example.com': 'silent' })
    const dialTo = createDialer({
      allowedPrivate: [],
      resolve: createNameLookup({ servers: [server.address] }),
    })
    expect(await failure(dialTo('mail.example.com', 25)({ timeoutMs: 300 }))).toMatchObject({
      kind: 'timeout',
      message: 'Connecting to mail.example.com on port 25 took too long',
    })
  })
})

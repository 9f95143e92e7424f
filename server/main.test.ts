import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openDatabase } from './platform/database.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres/embedded-postgres.ts'
import { areBirthsTold } from './platform/embedded-postgres/testing.ts'
import { createLog } from './platform/log.ts'
import { PASSWORD } from './test/accounts.ts'
import { freshDatabase } from './test/database.ts'
import { sized } from './test/faults/size.ts'
import { freePort } from './test/free-port.ts'
import { aGround, killDatabase, type Process, ready, START_MS } from './test/process.ts'
import { aStoredCampaign } from './test/stored-campaign.ts'
import { until } from './test/until.ts'

const KEY = 'a secret key of more than thirty-two characters'

const post = (running: Process, path: string, body: object, cookie = '') =>
  fetch(`${running.url}${path}`, {
    method: 'POST',
    headers: { origin: running.url, 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  })

/** What a worker was killed over is begun again within half a minute, and there are two such steps on the way. */
const CODE_MS = 70_000

async function mailedCode(running: Process, email: string): Promise<string> {
  let code: string | undefined
  await until(
    `a code for ${email}`,
    async () => {
      const answer = await fetch(`${running.url}/local-mailbox/messages?to=${email}`)
      const [mail] = (await answer.json()) as { text: string }[]
      code = mail?.text.match(/^\s*(\d{6})\s*$/m)?.[1]
      return code !== undefined
    },
    CODE_MS,
  )
  return code ?? ''
}

describe.concurrent('a start', () => {
  it('needs nothing, says where it is, and stops cleanly on SIGTERM and on Ctrl-C; accounts survive', async () => {
    await using ground = await aGround()
    const first = await ground.start()
    await ready(first)
    await until('the start-up lines', async () => first.output().includes('local-mailbox'))
    expect(first.said()).toBe(`Postrider is ready: ${first.url}\nLocal mailbox: ${first.url}/local-mailbox\n`)
    const { userId } = (await (
      await post(first, '/api/auth/register', { email: 'ann@x.test', password: PASSWORD })
    ).json()) as { userId: string }
    const code = await mailedCode(first, 'ann@x.test')
    const verified = await post(first, '/api/auth/verify', { userId, code })
    const cookie = verified.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    expect(await first.end('SIGTERM')).toBe(0)

    const second = await ground.start({ PORT: new URL(first.url).port })
    await ready(second)
    const session = await fetch(`${second.url}/api/auth/session`, { headers: { cookie } })
    expect(await session.json()).toEqual({ user: { id: userId, email: 'ann@x.test' } })
    expect(await second.end('SIGINT')).toBe(0)
  })

  it('stops cleanly, with its database, though nobody reads any more what it says', {
    tags: 'thorough',
  }, async () => {
    await using ground = await aGround()
    const running = await ground.start()
    await ready(running)
    running.stopReading()
    expect(await running.end('SIGINT')).toBe(0)
    expect(existsSync(join(ground.dataDir, 'postgres', 'data', 'postmaster.pid')), 'runs').toBe(false)
  })

  const stopsByNpm = async (signal: NodeJS.Signals): Promise<void> => {
    await using ground = await aGround()
    const running = await ground.npmStart()
    await ready(running)
    expect(await running.end(signal)).toBe(0)
    expect(running.output()).toContain('Stopping…')
    expect(await running.isReady()).toBe(false)
  }
  it('by npm start stops cleanly when npm gets SIGTERM', () => stopsByNpm('SIGTERM'))
  it('by npm start stops cleanly when npm gets SIGINT', { tags: 'thorough' }, () => stopsByNpm('SIGINT'))

  it('beside one that runs says so in one sentence, and leaves it alone; that one stops cleanly when its terminal closes', async () => {
    await using ground = await aGround()
    const first = await ground.start()
    await ready(first)
    const second = await ground.start()
    expect(await second.ended).toBe(1)
    expect(second.said()).toMatch(/^Postrider is already running [^\n]+\n$/)
    expect(await first.isReady()).toBe(true)
    expect(await first.end('SIGHUP')).toBe(0)
  })

  it('at the same moment as another leaves exactly one running', { tags: 'thorough' }, async () => {
    await using ground = await aGround()
    const both = await Promise.all([ground.start(), ground.start()])
    const loser = await Promise.race(both.map((running) => running.ended.then(() => running)))
    expect(loser.said()).toMatch(/^Postrider is already running [^\n]+\n$/)
    const winner = both.find((running) => running !== loser) as Process
    await ready(winner)
    expect(await winner.end('SIGTERM')).toBe(0)
  })

  it('by which mail leaves under a name that nobody takes says so, and how to mend it', {
    tags: 'thorough',
  }, async () => {
    await using ground = await aGround()
    const running = await ground.start({
      SMTP_URL: 'smtp://relay.x.test',
      PUBLIC_URL: 'https://mail.x.test',
      MAIL_FROM: '',
    })
    await ready(running)
    await until('the start-up lines', async () => running.said().split('\n').length > 2)
    expect(running.said()).toMatch(
      /^Postrider is ready: [^\n]+\nMail leaves as [^\n]+ set MAIL_FROM[^\n]+\n$/,
    )
    expect(await running.end('SIGTERM')).toBe(0)
  })

  it('at a public address from which no mail leaves says that nobody can read it, and how to mend it', {
    tags: 'thorough',
  }, async () => {
    await using ground = await aGround()
    const running = await ground.start({ PUBLIC_URL: 'https://mail.x.test' })
    await ready(running)
    await until('the start-up lines', async () => running.said().split('\n').length > 3)
    expect(running.said()).toMatch(
      /^Postrider is ready: https:\/\/mail\.x\.test\nThe local mailbox is shut[^\n]+LOCAL_MAILBOX=on[^\n]+\nMail does not leave [^\n]+\n$/,
    )
    expect(await running.end('SIGTERM')).toBe(0)
  })

  it('with a wrong value says so in one sentence', async () => {
    await using ground = await aGround()
    const wrong = await ground.start({ PUBLIC_URL: 'nonsense' })
    expect(await wrong.ended).toBe(1)
    expect(wrong.output()).toMatch(/^PUBLIC_URL must be [^\n]+\n$/)
  })

  it('on a port that is taken says so in one sentence and ends its database', {
    tags: 'thorough',
  }, async () => {
    await using ground = await aGround()
    await using other = createServer()
    await once(other.listen(0), 'listening')
    const { port } = other.address() as AddressInfo
    const running = await ground.start({ PORT: String(port) })
    expect(await running.ended).toBe(1)
    expect(running.said()).toMatch(/^Port \d+ is in use by another program[^\n]+\n$/)
    const database = join(ground.dataDir, 'postgres', 'data')
    expect(existsSync(join(database, 'PG_VERSION')), 'made').toBe(true)
    expect(existsSync(join(database, 'postmaster.pid')), 'runs').toBe(false)
  })

  it('with a database that does not answer says so in one sentence', async () => {
    await using ground = await aGround()
    const port = await freePort()
    const running = await ground.start({
      DATABASE_URL: `postgres://u:canary@127.0.0.1:${port}/x`,
      SECRET_KEY: KEY,
    })
    expect(await running.ended).toBe(1)
    expect(running.output()).toMatch(/^The database does not answer [^\n]+DATABASE_URL[^\n]+\n$/)
    expect(running.output()).not.toContain('canary')
  })
})

describe.concurrent('kill -9 of everything', () => {
  const rounds = sized({ ci: 2, full: 10 })
  it(`during sign-ups, ${rounds} times, loses no account that got its answer`, async () => {
    await using ground = await aGround()
    const port = String(await freePort())
    const answered: { email: string; userId: string }[] = []
    for (let round = 0; round < rounds; round++) {
      const running = await ground.start({ PORT: port })
      await ready(running)
      const signUps = Array.from({ length: 8 }, async (_, index) => {
        const email = `round${round}-${index}@x.test`
        const answer = await post(running, '/api/auth/register', { email, password: PASSWORD }).catch(
          () => null,
        )
        const body = answer?.ok ? await answer.json().catch(() => null) : null
        if (body) answered.push({ email, ...(body as { userId: string }) })
      })
      // The kill comes as soon as some are answered, while others are under way.
      await Promise.race([
        Promise.all(signUps),
        until('some answers', async () => answered.length > round * 3),
      ])
      await Promise.all([running.end('SIGKILL'), killDatabase(ground.dataDir)])
      await Promise.all(signUps)
    }
    expect(answered.length).toBeGreaterThan(rounds)
    const last = await ground.start({ PORT: port })
    await ready(last)
    for (const { email, userId } of answered) {
      const code = await mailedCode(last, email)
      expect((await post(last, '/api/auth/verify', { userId, code })).status).toBe(200)
    }
    expect(await last.end('SIGTERM')).toBe(0)
  })
})

describe.runIf(areBirthsTold)('a DATA_DIR that was copied while a campaign was under way', () => {
  it('and is put back runs, but sends nothing until a person resumes it, and says so', async () => {
    await using ground = await aGround()
    const { dataDir } = ground
    const original = await ground.start()
    await ready(original)
    expect(await original.end('SIGTERM')).toBe(0)
    await leaveUnderWay(dataDir)
    execFileSync('cp', ['-a', dataDir, `${dataDir}.bak`])
    await rm(dataDir, { recursive: true })
    await rename(`${dataDir}.bak`, dataDir)
    const copy = await ground.start()
    await ready(copy)
    expect(copy.output()).toMatch(/"campaigns":1,[^\n]*this database is a restored copy/)
    expect(await copy.end('SIGTERM')).toBe(0)
  })
})

/** A campaign of which nothing is sent yet. */
async function leaveUnderWay(dataDir: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dir: dataDir })
  const db = openDatabase(postgres.url, createLog('silent'))
  await aStoredCampaign(db, 3)
  await db.destroy()
  await postgres.stop()
}

describe.concurrent('several processes on one DATABASE_URL', () => {
  it('share the work by their roles', async () => {
    await using ground = await aGround()
    await using database = await freshDatabase()
    const shared = { DATABASE_URL: database.url, SECRET_KEY: KEY }
    const web = await ground.start({ ...shared, ROLES: 'web' })
    await ready(web)
    await post(web, '/api/auth/register', { email: 'ann@x.test', password: PASSWORD })
    const worker = await ground.start({ ...shared, ROLES: 'worker' })
    await until('the worker says that it is there', async () => worker.output() !== '', START_MS)
    expect(await mailedCode(web, 'ann@x.test')).toMatch(/^\d{6}$/)
    expect(await worker.isReady()).toBe(false)
    expect(worker.output()).toBe('Postrider is ready: worker\n')
    expect(await worker.end('SIGTERM')).toBe(0)
    expect(await web.end('SIGTERM')).toBe(0)
  })

  it('migrate together without getting into each other’s way', { tags: 'thorough' }, async () => {
    await using ground = await aGround()
    await using database = await freshDatabase()
    // As new: nothing but the empty schema.
    await sql`drop schema public cascade`.execute(database.db)
    await sql`create schema public`.execute(database.db)
    const shared = { DATABASE_URL: database.url, SECRET_KEY: KEY }
    const all = await Promise.all([1, 2, 3].map(() => ground.start(shared)))
    await Promise.all(all.map((running) => ready(running)))
    for (const running of all) expect(await running.end('SIGTERM')).toBe(0)
  })
})

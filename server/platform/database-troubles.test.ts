import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { emptyDatabase, type TestDatabase } from '../test/database.ts'
import { aGround, ready } from '../test/process.ts'
import { aTlsWayTo } from '../test/tls-way.ts'
import { selfSigned } from './self-signed.ts'

const folder = await mkdtemp(join(tmpdir(), 'postrider-troubles-'))
afterAll(() => rm(folder, { recursive: true }))

const SHARED = { SECRET_KEY: 'a secret key of more than thirty-two characters', LOG_LEVEL: 'silent' }
const YEAR_2000 = new Date('2000-01-01T00:00:00Z')

/** One that owns nothing and has these rights. */
async function aRole({ url, db }: TestDatabase, rights: readonly string[]) {
  const name = `role_${randomBytes(8).toString('hex')}`
  const password = randomBytes(8).toString('hex')
  const say = (statement: string) => db.executeQuery(CompiledQuery.raw(statement))
  await say(`create role ${name} login password '${password}'`)
  for (const right of rights) await say(`grant ${right} to ${name}`)
  const asRole = new URL(url)
  asRole.username = name
  asRole.password = password
  return {
    url: asRole.href,
    async [Symbol.asyncDispose]() {
      await say(`drop owned by ${name} cascade`)
      await say(`drop role ${name}`)
    },
  }
}

async function authorityFile(name: string, { cert }: { cert: string }): Promise<string> {
  const file = join(folder, `${name}.pem`)
  await writeFile(file, cert)
  return file
}

describe('a role', () => {
  for (const { what, rights, tags } of [
    { what: 'no table', rights: [], tags: [] },
    { what: 'tables, but no schema', rights: ['create on schema public'], tags: 'thorough' },
  ])
    it(`that may create ${what} ends the start with what to grant`, { tags }, async () => {
      await using ground = await aGround()
      await using database = await emptyDatabase()
      await using role = await aRole(database, rights)
      const refused = await ground.start({ ...SHARED, DATABASE_URL: role.url })
      expect(await refused.ended).toBe(1)
      expect(refused.output()).toBe(
        'The role in DATABASE_URL may not create all tables of Postrider; make it the owner of the database, or grant it create on the database and on schema public\n',
      )
    })

  it('that may create both starts, although it owns nothing', { tags: 'thorough' }, async () => {
    await using ground = await aGround()
    await using database = await emptyDatabase()
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.db)
    await using role = await aRole(database, [
      'create on schema public',
      `create on database ${rows[0]?.name}`,
    ])
    const running = await ground.start({ ...SHARED, DATABASE_URL: role.url })
    await ready(running)
    expect(await running.end('SIGTERM')).toBe(0)
  })
})

describe('a database that shows a certificate', () => {
  it('of an unknown authority ends the start with what to add, and with that it starts', {
    tags: 'thorough',
  }, async () => {
    await using ground = await aGround()
    await using database = await emptyDatabase()
    const shown = selfSigned('localhost')
    await using way = await aTlsWayTo(database.url, shown)
    const on = (settings: Record<string, string>) => ({
      ...SHARED,
      DATABASE_URL: way.url(database.url, { sslmode: 'verify-full', ...settings }),
    })
    const refused = await ground.start(on({}))
    expect(await refused.ended).toBe(1)
    expect(refused.output()).toBe(
      'The database shows a certificate of an authority that is not known here (self-signed certificate); add sslrootcert=/path/to/ca.pem to DATABASE_URL, with the file that its operator gives out\n',
    )

    const running = await ground.start(on({ sslrootcert: await authorityFile('known', shown) }))
    await ready(running)
    expect(await running.end('SIGTERM')).toBe(0)
  })

  it('for another host ends the start with both ways out, and the second one leads to a start', {
    tags: 'thorough',
  }, async () => {
    await using ground = await aGround()
    await using database = await emptyDatabase()
    const shown = selfSigned('db.x.test')
    await using way = await aTlsWayTo(database.url, shown)
    const sslrootcert = await authorityFile('elsewhere', shown)
    const on = (settings: Record<string, string>) => ({
      ...SHARED,
      DATABASE_URL: way.url(database.url, { sslrootcert, ...settings }),
    })
    const refused = await ground.start(on({ sslmode: 'verify-full' }))
    expect(await refused.ended).toBe(1)
    expect(refused.output()).toMatch(
      /^The database shows a certificate for another host \(.*db\.x\.test\); write that host .* uselibpqcompat=true&sslmode=verify-ca&sslrootcert=[^\n]+\n$/,
    )

    const running = await ground.start(on({ sslmode: 'verify-ca', uselibpqcompat: 'true' }))
    await ready(running)
    expect(await running.end('SIGTERM')).toBe(0)
  })

  it('that has expired ends the start with what to do', { tags: 'thorough' }, async () => {
    await using ground = await aGround()
    await using database = await emptyDatabase()
    const shown = selfSigned('localhost', YEAR_2000)
    await using way = await aTlsWayTo(database.url, shown)
    const sslrootcert = await authorityFile('expired', shown)
    const refused = await ground.start({
      ...SHARED,
      DATABASE_URL: way.url(database.url, { sslmode: 'verify-full', sslrootcert }),
    })
    expect(await refused.ended).toBe(1)
    expect(refused.output()).toBe(
      'The database shows a certificate that is not valid today (certificate has expired); have it renewed, and check the clock of this machine\n',
    )
  })
})

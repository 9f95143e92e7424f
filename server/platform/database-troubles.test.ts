import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { emptyDatabase } from '../test/database.ts'
import { aGround, ready } from '../test/process.ts'
import { aTlsWayTo } from '../test/tls-way.ts'
import { selfSigned } from './self-signed.ts'

const folder = await mkdtemp(join(tmpdir(), 'postrider-troubles-'))
afterAll(() => rm(folder, { recursive: true }))

const SHARED = { SECRET_KEY: 'a secret key of more than thirty-two characters', LOG_LEVEL: 'silent' }
const YEAR_2000 = new Date('2000-01-01T00:00:00Z')

async function authorityFile(name: string, { cert }: { cert: string }): Promise<string> {
  const file = join(folder, `${name}.pem`)
  await writeFile(file, cert)
  return file
}

describe('a database that shows a certificate', () => {
  it('of an unknown authority ends the start with what to add, and with that it starts', async () => {
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

  it('for another host ends the start with both ways out, and the second one leads to a start', async () => {
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

  it('that has expired ends the start with what to do', async () => {
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

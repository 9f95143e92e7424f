import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { admin } from '../test/admin.ts'
import { emptyDatabase, freshDatabase, type TestDatabase } from '../test/database.ts'
import { aGround, type Ground, ready } from '../test/process.ts'

const folder = await mkdtemp(join(tmpdir(), 'postrider-key-'))
afterAll(() => rm(folder, { recursive: true }))

const RIGHT = 'the key that the mails were signed with'
const OTHER = 'the key that somebody has mistyped later'
const LATER = 'the key that took the place of the right one'

const on = ({ url }: TestDatabase, key: string) => ({ DATABASE_URL: url, SECRET_KEY: key, ROLES: 'web' })

async function expectStart(ground: Ground, env: Record<string, string>): Promise<void> {
  const running = await ground.start(env)
  await ready(running)
  expect(await running.end('SIGTERM')).toBe(0)
}

async function expectRefused(ground: Ground, env: Record<string, string>, sentence: string): Promise<void> {
  const running = await ground.start(env)
  expect(await running.ended).toBe(1)
  expect(running.said()).toBe(`${sentence}, or if it is lost run: npm run admin -- accept-key\n`)
}

const NAMED = 'SECRET_KEY is another key than this database was used with; set it to that one'

it('a start with another SECRET_KEY than before is refused with the cure, beside others and in a restored copy too', {
  tags: 'thorough',
}, async () => {
  await using ground = await aGround()
  await using database = await freshDatabase()
  await using copy = await emptyDatabase()
  const first = await ground.start(on(database, RIGHT))
  await ready(first)
  await expectRefused(ground, on(database, OTHER), NAMED)
  expect(await first.isReady()).toBe(true)
  expect(await first.end('SIGTERM')).toBe(0)
  await expectStart(ground, on(database, RIGHT))

  const file = join(folder, 'backup')
  expect(await admin(on(database, RIGHT), ['backup', file])).toMatchObject({ code: 0, err: '' })
  expect(await admin(on(copy, OTHER), ['restore', file])).toMatchObject({ code: 0, err: '' })
  await expectRefused(ground, on(copy, OTHER), NAMED)
  await expectStart(ground, on(copy, RIGHT))
})

it('a key that was replaced on purpose is the one to start with, and only the right one can be replaced', {
  tags: 'thorough',
}, async () => {
  await using ground = await aGround()
  await using database = await freshDatabase()
  await expectStart(ground, on(database, RIGHT))
  // Nobody keeps credentials here: the mark alone tells which key is meant.
  const wrong = { ...on(database, OTHER), NEW_SECRET_KEY: LATER }
  expect(await admin(wrong, ['reseal'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^The key of this installation .* nothing was changed/),
  })
  const right = { ...on(database, RIGHT), NEW_SECRET_KEY: LATER }
  expect(await admin(right, ['reseal'])).toMatchObject({ code: 0, err: '' })
  await expectRefused(ground, on(database, RIGHT), NAMED)
  await expectStart(ground, on(database, LATER))
})

it('a start without the key file it had is refused; with it, or once another key is accepted, it goes on', async () => {
  await using ground = await aGround()
  const { dataDir } = ground
  const file = join(dataDir, 'secret.key')
  const aside = join(folder, 'secret.key')
  const refused = `The key file ${file} is another key than this database was used with; put that one there`
  await expectStart(ground, {})
  await rename(file, aside)
  await expectRefused(ground, {}, refused)
  await rename(aside, file)
  await expectStart(ground, {})

  await rm(file)
  await expectRefused(ground, {}, refused)
  const accepted = await admin({ DATA_DIR: dataDir }, ['accept-key'])
  expect(accepted).toMatchObject({ code: 0, err: '' })
  expect(accepted.out).toMatch(/^Postrider starts with this key from now on\.\nCredentials under another/)
  await expectStart(ground, {})
  expect((await admin({ DATA_DIR: dataDir }, ['accept-key'])).out).toBe(
    'Postrider starts with this key: nothing was changed.\n',
  )
})

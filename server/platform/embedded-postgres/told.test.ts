import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { aGround, killDatabase, ready } from '../../test/process.ts'
import { until } from '../../test/until.ts'

it('a database that died and does not come back says why and how to mend it, and is back once that is done', async () => {
  await using ground = await aGround()
  const running = await ground.start()
  await ready(running)
  const password = join(ground.dataDir, 'postgres', 'password')
  await rename(password, `${password}.away`)
  await killDatabase(ground.dataDir)
  await until('the cure is told', async () => running.output().includes('Put this one file back'))
  expect(await running.isReady()).toBe(false)
  await rename(`${password}.away`, password)
  await until('it is told', async () => running.output().includes('PostgreSQL is back'))
  await ready(running)
  expect(await running.end('SIGTERM')).toBe(0)
})

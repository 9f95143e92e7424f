import { execFile } from 'node:child_process'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, it } from 'vitest'
import { machineNow } from '../../machine-clock.ts'
import { aGround, killDatabase } from '../../process.ts'
import { until } from '../../until.ts'
import { audit } from '../auditor.ts'
import { addresses, type Campaign, createClient } from '../client.ts'
import { demandsOf } from '../demands.ts'
import { IN_HAND_BY_SMTP, SETTLE_MS, secondsSince } from '../figures.ts'
import { aLedger } from '../ledger/ledger.ts'
import { aPostrider } from '../postrider.ts'
import { SIZE, timeLimit } from '../size.ts'

const run = promisify(execFile)
/** A new database of PostgreSQL's takes about 40 MB, and its log of changes as much again. */
const DISK_MB = 160
const RECIPIENTS = 3_000
const FULL_MS = 20_000

describe.concurrent('R15 the disk is full', () => {
  it(
    'and nothing is confirmed that is not stored; with space it goes on by itself',
    async (test) => {
      const obstacle = SIZE === 'ci' ? 'at full size only' : notRoot()
      if (obstacle) {
        demandsOf('R15').note('not played', obstacle)
        return test.skip(obstacle)
      }
      await play()
    },
    timeLimit(300),
  )
})

const notRoot = () => (process.getuid?.() === 0 ? null : 'only root may mount the small disk')

async function play(): Promise<void> {
  const demands = demandsOf('R15')
  await using disk = await aSmallDisk()
  await using ledger = await aLedger('smtp')
  await using ground = await aGround()
  const postrider = await aPostrider(ground, {
    DATA_DIR: disk.folder,
    ROLES: 'web,worker',
    LOG_LEVEL: 'warn',
    INBOUND_SMTP_PORT: '0',
    ...ledger.env(),
  })
  await using _database = { [Symbol.asyncDispose]: () => killDatabase(disk.folder) }
  const client = createClient(postrider.url)
  await client.signUp(ledger)
  await ledger.behave({ delayMs: 40 })
  const campaigns: Campaign[] = [await client.send('running', RECIPIENTS)]
  await until('mail flows', async () => (await ledger.report()).accepted > 100)

  await disk.fill()
  const start = machineNow()
  let refused = 0
  for (let attempt = 1; secondsSince(start) < FULL_MS / 1000; attempt++) {
    const recipients = addresses(`full${attempt}`, RECIPIENTS)
    const answer = await client.post(recipients).catch(() => null)
    if (answer?.status === 200) campaigns.push({ id: JSON.parse(answer.text).id, recipients })
    else refused++
    await sleep(500)
  }
  demands.atLeast('requests refused while the disk was full', 1, refused)
  await disk.free()
  const freed = machineNow()
  await until('the API answers', async () => (await client.look(campaigns[0]?.id ?? '')) !== null, SETTLE_MS)
  demands.atMost('the API is back', 60, secondsSince(freed), 's')
  const alive = await Promise.race([postrider.ended(), Promise.resolve('alive')])
  demands.exactly('the process', 'alive', String(alive))
  for (const { id } of campaigns) await client.settled(id, SETTLE_MS)
  demands.atMost('settled', 60, secondsSince(freed), 's')
  // Whatever was confirmed must be whole; the crash of a database that cannot write its log leaves mail in doubt.
  await audit({ client, ledger, databaseUrl: null }, campaigns, demands, { unknown: IN_HAND_BY_SMTP })
  demands.hold()
}

type SmallDisk = AsyncDisposable & { folder: string; fill: () => Promise<void>; free: () => Promise<void> }

async function aSmallDisk(): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder])
  const ballast = join(folder, 'ballast')
  return {
    folder,
    async fill() {
      const { bavail, bsize } = await statfs(folder)
      // Somebody else may take the last bytes first, which is as good.
      await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => {})
    },
    free: () => rm(ballast, { force: true }),
    async [Symbol.asyncDispose]() {
      // The database's last process may hold the disk for a moment longer.
      for (let tries = 0; tries < 50; tries++) {
        const left = await run('umount', [folder]).then(
          () => true,
          () => false,
        )
        if (left) break
        await sleep(100)
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

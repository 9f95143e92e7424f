import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { aDataDir, aPostrider, cleanUp, query, removeTemplate } from './testing.ts'

const neighbours: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const neighbour of neighbours.splice(0)) await neighbour.close()
  await cleanUp()
})
afterAll(removeTemplate)

/** What PostgreSQL says while it recovers or shuts down, in the bytes of its protocol; then it hangs up. */
function refuseForNow(socket: Socket, sentence: string): void {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C57P03\0M${sentence}\0\0`)
  const length = Buffer.alloc(4)
  length.writeInt32BE(fields.length + length.length)
  socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, fields])))
}

/** A number that no process has here, as every one of the container next door. */
const UNSEEN = 2 ** 22 + 1

/** A PostgreSQL that runs in the same folder and whose process cannot be seen, as in a container on the same volume. */
async function aNeighbour(dir: string, whenAsked: (socket: Socket) => void) {
  const pidFile = join(dir, 'postgres/data/postmaster.pid')
  const socket = join(dir, 'postgres/.s.PGSQL.5432')
  const sockets = new Set<Socket>()
  const server: Server = createServer((caller) => {
    sockets.add(caller)
    caller.on('error', () => undefined)
    whenAsked(caller)
  })
  const content = `${UNSEEN}\n${join(dir, 'postgres/data')}\n0\n5432\n${join(dir, 'postgres')}\n\n  0 0\nstarting\n`
  writeFileSync(pidFile, content)
  await once(server.listen(socket), 'listening')
  const close = async () => {
    for (const caller of sockets) caller.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  neighbours.push({ close })
  return {
    isUntouched: () => existsSync(socket) && readFileSync(pidFile, 'utf8') === content,
    /** In the order of PostgreSQL: the pid file goes last. */
    async leave() {
      await close()
      rmSync(pidFile)
    },
  }
}

describe('a PostgreSQL of the container next door, in the same folder', () => {
  it.each([
    [
      'recovers or shuts down',
      (socket: Socket) => refuseForNow(socket, 'the database system is starting up'),
    ],
    ['says nothing', () => undefined],
    ['hangs up', (socket: Socket) => socket.destroy()],
  ])('keeps its files although it %s: the start ends in one sentence', async (_, whenAsked) => {
    const dir = await aDataDir()
    const neighbour = await aNeighbour(dir, whenAsked)
    const start = aPostrider({ dir, neighbourMs: 1_000 })
    expect(await start.refusal).toEqual({
      name: 'AlreadyRunningError',
      message: `Postrider is already running with DATA_DIR ${dir}. Stop it first, or set another DATA_DIR.`,
    })
    expect(neighbour.isUntouched()).toBe(true)
  })

  it('is awaited while it shuts down', { tags: 'thorough' }, async () => {
    const dir = await aDataDir()
    const neighbour = await aNeighbour(dir, (socket) =>
      refuseForNow(socket, 'the database system is shutting down'),
    )
    const start = aPostrider({ dir })
    await start.said((line) => line.log?.startsWith('Waiting for the PostgreSQL') === true)
    expect(neighbour.isUntouched()).toBe(true)
    await neighbour.leave()
    expect(await query((await start.ready).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

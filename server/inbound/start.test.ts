import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { freshDatabase } from '../test/database.ts'
import { freePort } from '../test/free-port.ts'
import { aGround, ready } from '../test/process.ts'
import { aConversation } from '../test/smtp-conversation.ts'
import { until } from '../test/until.ts'

const DEFAULT_PORT = 2525

/** Whether we took the port or somebody had it already: nobody else can have it now. */
async function occupied(port: number): Promise<AsyncDisposable> {
  const server = createServer()
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await Promise.race([once(server, 'listening'), once(server, 'error')])
  return {
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}

const SECRET_KEY = 'a secret key of more than thirty-two characters'

it('a start receives mail at the port that is named, and lets go of it on SIGTERM', async () => {
  await using ground = await aGround()
  await using database = await freshDatabase()
  const shared = { DATABASE_URL: database.url, SECRET_KEY }
  const port = await freePort()
  const running = await ground.start({
    ...shared,
    INBOUND_SMTP_PORT: String(port),
    INBOUND_DOMAIN: 'in.example.test',
  })
  await ready(running)
  await until('the receiver is open', async () => running.output().includes('Postrider is ready'))
  await using line = await aConversation(port)
  expect(await line.reply()).toMatch(/^220 in\.example\.test /)
  expect(await running.end('SIGTERM')).toBe(0)
  await expect(aConversation(port).then((again) => again.reply())).rejects.toThrow('the line was closed')
})

it('a start whose named port is taken ends with one sentence', { tags: 'thorough' }, async () => {
  await using ground = await aGround()
  await using database = await freshDatabase()
  const shared = { DATABASE_URL: database.url, SECRET_KEY }
  const port = await freePort()
  await using _taken = await occupied(port)
  const running = await ground.start({ ...shared, INBOUND_SMTP_PORT: String(port) })
  expect(await running.ended).toBe(1)
  expect(running.output()).toMatch(/^Port \d+ for incoming mail is in use by another program; [^\n]+\n$/)
})

it('a start that finds the usual port taken says so in one sentence, and serves all the same', {
  tags: 'thorough',
}, async () => {
  await using ground = await aGround()
  await using database = await freshDatabase()
  const shared = { DATABASE_URL: database.url, SECRET_KEY }
  await using _taken = await occupied(DEFAULT_PORT)
  const running = await ground.start({ ...shared, INBOUND_SMTP_PORT: '' })
  await ready(running)
  await until('the start-up lines', async () => running.output().includes('Postrider is ready'))
  expect(running.output()).toMatch(
    /^No mail is received, since port 2525 is in use by another program; [^\n]+\nPostrider is ready/,
  )
  expect(await running.end('SIGTERM')).toBe(0)
})

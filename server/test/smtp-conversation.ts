import { connect } from 'node:net'

/** A conversation with an SMTP server, byte for byte as a test wants it. */
export type Conversation = AsyncDisposable & {
  /** Bytes as they are, no line end added. */
  write(bytes: string | Buffer): Promise<void>
  /** The next reply, all its lines; fails when the line is closed first. */
  reply(): Promise<string>
  /** One command, and its reply. */
  say(line: string): Promise<string>
  ended: Promise<void>
}

export async function aConversation(
  port: number,
  { from = '127.0.0.1' }: { from?: string } = {},
): Promise<Conversation> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  const replies: string[] = []
  const waiting: { resolve: (reply: string) => void; reject: (error: Error) => void }[] = []
  let text = ''
  let isOver = false
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    for (let match = REPLY.exec(text); match; match = REPLY.exec(text)) {
      text = text.slice(match[0].length)
      const next = waiting.shift()
      if (next) next.resolve(match[0].trimEnd())
      else replies.push(match[0].trimEnd())
    }
  })
  // The server may cut the line on purpose.
  socket.on('error', () => {})
  const ended = new Promise<void>((resolve) =>
    socket.on('close', () => {
      isOver = true
      for (const { reject } of waiting.splice(0)) reject(new Error('the line was closed'))
      resolve()
    }),
  )

  const reply = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const next = replies.shift()
      if (next !== undefined) resolve(next)
      else if (isOver) reject(new Error('the line was closed'))
      else waiting.push({ resolve, reject })
    })
  const write = (bytes: string | Buffer): Promise<void> =>
    new Promise((resolve) => {
      if (isOver || socket.write(bytes)) return resolve()
      const go = (): void => {
        socket.off('drain', go).off('close', go)
        resolve()
      }
      socket.on('drain', go).on('close', go)
    })

  return {
    write,
    reply,
    ended,
    async say(line) {
      await write(`${line}\r\n`)
      return reply()
    },
    async [Symbol.asyncDispose]() {
      socket.destroy()
      await ended
    },
  }
}

const REPLY = /^(?:\d{3}-[^\n]*\r\n)*\d{3} [^\n]*\r\n/

/** One mail by a conversation of its own; answers the reply to its text, or the first refusal. */
export async function mailIn(
  port: number,
  to: readonly string[],
  raw: string,
  // Reports come from nobody: there is none to tell when they cannot be delivered.
  from = '',
): Promise<string> {
  await using line = await aConversation(port)
  await line.reply()
  await line.say('EHLO mx.example.test')
  for (const command of [`MAIL FROM:<${from}>`, ...to.map((address) => `RCPT TO:<${address}>`), 'DATA']) {
    const answer = await line.say(command)
    if (/^[45]/.test(answer)) return answer
  }
  const lines = raw.replace(/\r?\n/g, '\r\n').replace(/^\./gm, '..')
  return await line.say(`${lines}\r\n.`)
}

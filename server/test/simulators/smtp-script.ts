import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A reply without its CRLF; after null the connection hears no more; a function may do anything with the socket first. */
type Line = string | null | ((turn: Turn) => string | null | Promise<string | null>)
type Turn = {
  line: string
  socket: Socket
  connection: number
  /** Until what came behind the line holds this text. */
  ahead(text: string): Promise<void>
}

/** By the verb of a command; `greeting` before all, `.` for the end of a message. What is left out is answered kindly. */
export type Script = Partial<Record<Verb, Line>>
type Verb =
  | 'greeting'
  | 'EHLO'
  | 'HELO'
  | 'STARTTLS'
  | 'AUTH'
  | 'MAIL'
  | 'RCPT'
  | 'DATA'
  | '.'
  | 'RSET'
  | 'NOOP'
  | 'QUIT'

type ScriptedRelay = {
  port: number
  /** Command lines of all connections as they came. */
  lines: readonly string[]
  /** Messages that came whole, with their final dot; dots are left doubled. */
  messages: readonly string[]
  /** Bytes as they came, one entry a read; in command mode only. */
  chunks: readonly string[]
  connections: () => number
  close(): Promise<void>
}

const KIND: Record<Verb, string> = {
  greeting: '220 script',
  EHLO: '250-script\r\n250 PIPELINING',
  HELO: '250 script',
  STARTTLS: '502 no',
  AUTH: '502 no',
  MAIL: '250 sender',
  RCPT: '250 recipient',
  DATA: '354 go on',
  '.': '250 taken',
  RSET: '250 reset',
  NOOP: '250 noop',
  QUIT: '221 bye',
}

/** A relay that says exactly what a test wants, also what no real one should say. */
export async function startScriptedRelay(script: Script = {}): Promise<ScriptedRelay> {
  const lines: string[] = []
  const messages: string[] = []
  const chunks: string[] = []
  const sockets = new Set<Socket>()
  let connections = 0

  const server = createServer((socket) => {
    connections += 1
    socket.setNoDelay(true)
    const connection = connections
    sockets.add(socket)
    let unread = ''
    let inData = false
    let isBusy = false

    async function answer(verb: Verb, line: string): Promise<string | null> {
      const scripted = script[verb]
      const reply =
        typeof scripted === 'function' ? await scripted({ line, socket, connection, ahead }) : scripted
      const text = reply === undefined ? KIND[verb] : reply
      if (text !== null && socket.writable) socket.write(`${text}\r\n`)
      return text
    }

    async function ahead(text: string): Promise<void> {
      while (!unread.includes(text)) await once(socket, 'data')
    }

    /** One after the other, as a server does that reads ahead only what it must. */
    async function work(): Promise<void> {
      if (isBusy) return
      isBusy = true
      for (let part = nextPart(); part !== null; part = nextPart()) {
        if (inData) {
          messages.push(part)
          inData = false
          if ((await answer('.', '')) === null) return
        } else {
          lines.push(part)
          const verb = (part.split(/[ :]/, 1)[0] ?? '').toUpperCase()
          if (!(verb in KIND)) socket.write('500 what\r\n')
          else {
            const reply = await answer(verb as Verb, part)
            if (reply === null) return
            inData = verb === 'DATA' && reply.startsWith('354')
          }
        }
      }
      isBusy = false
    }

    function nextPart(): string | null {
      const end = inData && unread.startsWith('.\r\n') ? '.\r\n' : inData ? '\r\n.\r\n' : '\r\n'
      const at = unread.indexOf(end)
      if (at === -1) return null
      const part = unread.slice(0, at)
      unread = unread.slice(at + end.length)
      return part
    }

    socket.on('data', (chunk) => {
      if (!inData) chunks.push(chunk.toString('latin1'))
      unread += chunk.toString('latin1')
      void work()
    })
    // Cuts are part of the play.
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    void answer('greeting', '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    lines,
    messages,
    chunks,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

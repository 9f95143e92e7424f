import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { chanceOf } from '../chance.ts'
import { AMBIGUOUS, type Behaviour, type Entry, type Lie, OWNER } from './protocol.ts'

type Desk = {
  door: number
  behaviour: () => Behaviour
  /** Resolves when the entry is on the disk. */
  note: (entry: Entry) => Promise<void>
  /** Counts how often this recipient was named before. */
  attemptsOf: (to: string) => number
  /** What the next mail shall meet; undefined where chance decides. */
  planned: () => Lie | null | undefined
}

type Transaction = { startedAt: number; to: string[]; lie: Lie | null }

const EHLO = '250-ledger.test\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE 50000000'
const END_OF_MESSAGE = '\r\n.\r\n'

/** One SMTP connection, spoken on the bare socket: a parser that does no more than it must leaves the cores to others. */
export function serveSmtp(socket: Socket, desk: Desk): void {
  let input = ''
  let output = ''
  let isBusy = false
  let isMessage = false
  let transaction: Transaction = { startedAt: 0, to: [], lie: null }

  const reply = (line: string) => {
    output += `${line}\r\n`
  }
  const flush = () => {
    if (output && socket.writable) socket.write(output)
    output = ''
  }

  function takeLine(): string | null {
    const end = input.indexOf('\r\n')
    if (end < 0) return null
    const line = input.slice(0, end)
    input = input.slice(end + 2)
    return line
  }

  function takeMessage(): string | null {
    // The end of the DATA line is the beginning of an empty message's end.
    const end = input.startsWith('.\r\n') ? 0 : input.indexOf(END_OF_MESSAGE)
    if (end < 0) return null
    const message = input.slice(0, end)
    input = input.slice(end + (end === 0 ? 3 : END_OF_MESSAGE.length))
    return message
  }

  async function advance(): Promise<void> {
    if (isBusy) return
    isBusy = true
    for (;;) {
      const text = isMessage ? takeMessage() : takeLine()
      if (text === null) break
      if (!isMessage) await obey(text)
      else {
        isMessage = false
        // From here on the mail is the server's, whether or not somebody still waits for the answer.
        await decide(text)
      }
    }
    flush()
    isBusy = false
  }

  async function obey(line: string): Promise<void> {
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'EHLO') reply(EHLO)
    else if (verb === 'MAIL') {
      transaction = { startedAt: Date.now(), to: [], lie: null }
      reply('250 OK')
    } else if (verb === 'RCPT') await nameRecipient(line)
    else if (verb === 'DATA') await beginMessage()
    else if (verb === 'QUIT') {
      reply('221 Bye')
      flush()
      socket.end()
    } else reply('250 OK')
  }

  async function nameRecipient(line: string): Promise<void> {
    const to = line.match(/<([^>]*)>/)?.[1] ?? ''
    transaction.lie = lieTo(to, desk)
    if (transaction.lie === 'refuse') {
      await noteLie(to)
      return reply('550 No such mailbox')
    }
    transaction.to.push(to)
    reply('250 OK')
  }

  async function beginMessage(): Promise<void> {
    const [to] = transaction.to
    if (to === undefined) return reply('503 No recipient')
    if (transaction.lie === 'drop-at-data') {
      await noteLie(to)
      // In order, so that the answer to the mail before this one still arrives.
      flush()
      socket.end()
      return
    }
    isMessage = true
    reply('354 Go on')
  }

  async function decide(message: string): Promise<void> {
    const { to, lie, startedAt } = transaction
    const isOwner = to[0]?.startsWith(OWNER) ?? false
    const delay = isOwner ? 0 : desk.behaviour().delayMs
    const before = delay * chanceOf(desk.behaviour().seed, 'delay', to[0] ?? '')
    flush()
    if (delay > 0) await sleep(before)
    if (lie && to[0]) await noteLie(to[0])
    if (lie === 'refuse-for-now') return reply('451 Try again later')
    if (lie === 'drop-at-dot') return void socket.resetAndDestroy()
    // Never answered: whatever else comes on this connection waits as well.
    if (lie === 'silence') return new Promise<void>(() => {})
    const messageId = message.match(/^message-id:\s*(\S+)/im)?.[1] ?? ''
    for (const one of to)
      await desk.note({
        kind: 'accepted',
        to: one,
        messageId,
        door: desk.door,
        startedAt,
        at: Date.now(),
        ...(isOwner ? { text: message } : {}),
      })
    if (delay > 0) await sleep(delay - before)
    if (lie === 'accept-then-drop') socket.resetAndDestroy()
    else reply('250 OK queued')
  }

  const noteLie = (to: string) =>
    transaction.lie
      ? desk.note({
          kind: 'lie',
          lie: transaction.lie,
          to,
          door: desk.door,
          startedAt: transaction.startedAt,
          at: Date.now(),
        })
      : Promise.resolve()

  socket.setEncoding('latin1').setNoDelay(true)
  // Connections that are cut on purpose, and clients that are killed, are part of the play.
  socket.on('error', () => {})
  socket.on('data', (chunk: string) => {
    input += chunk
    void advance()
  })
  if (desk.behaviour().state === 'failing') {
    socket.end('421 Out of order\r\n')
    return
  }
  socket.write('220 ledger.test ESMTP\r\n')
}

function lieTo(to: string, { behaviour, attemptsOf, planned }: Desk): Lie | null {
  if (to.startsWith(OWNER)) return null
  const { always, lies, seed } = behaviour()
  for (const [beginning, lie] of Object.entries(always)) if (to.startsWith(beginning)) return lie
  const chance = chanceOf(seed, to, attemptsOf(to))
  const plan = planned()
  if (plan !== undefined) return plan
  let left = chance
  for (const lie of [...AMBIGUOUS, 'drop-at-data', 'refuse-for-now', 'refuse'] as const) {
    left -= lies[lie] ?? 0
    if (left < 0) return lie
  }
  return null
}

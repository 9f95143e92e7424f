import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { MARK } from '../../platform/look/mark.ts'
import { BASE_STYLES } from '../../platform/look/styles.ts'
import type { Person } from './telegram-people.ts'
import type { Message, Room, World } from './telegram-world.ts'

// A page on which a person plays somebody who chats with the bot, at /chat. For development: whoever reaches it may
// speak for its people, so it answers on this machine's own names only.

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
const FILE_MAX = 25 * 1024 * 1024
const SHOWN = 200

const file = (name: string): string => readFileSync(new URL(`telegram-page/${name}`, import.meta.url), 'utf8')

const Acts = {
  '/chat/say': z.strictObject({ text: z.string().trim().min(1), replyTo: z.int().nullable() }),
  '/chat/press': z.strictObject({ messageId: z.int(), data: z.string() }),
  '/chat/start': z.strictObject({ code: z.string().regex(/^[\w-]{0,64}$/) }),
  '/chat/block': z.strictObject({}),
}

class Wrong extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export function createChatPage(world: World, players: readonly Person[]) {
  const files = new Map([
    ['/chat', { type: 'text/html', body: file('chat.html').replace('<!--mark-->', MARK.markup) }],
    ['/chat/chat.css', { type: 'text/css', body: BASE_STYLES + file('chat.css') + file('messages.css') }],
    ['/chat/icon.svg', { type: 'image/svg+xml', body: file('../../../../web/public/favicon.svg') }],
    ...['chat.js', 'messages.js', 'format.js'].map(
      (name) => [`/chat/${name}`, { type: 'text/javascript', body: file(name) }] as const,
    ),
  ])

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://simulator')
    // Otherwise any web page that is open in the same browser could speak here, under a name that leads to this machine.
    if (!/^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(request.headers.host ?? ''))
      throw new Wrong(403, 'This page is for this machine only')
    const found = files.get(url.pathname)
    if (request.method === 'GET' && found) return give(response, 200, found.type, found.body)
    const player = players.find(({ id }) => String(id) === url.searchParams.get('player')) ?? players[0]
    const room = player && world.rooms.get(player.id)
    if (!player || !room) throw new Wrong(404, 'Nobody is here')
    if (request.method === 'GET' && url.pathname === '/chat/events') return watch(room, player, response)
    if (request.method !== 'POST') throw new Wrong(404, 'There is no such page')
    // A form of another site cannot say this of itself without being asked first.
    if (request.headers['x-chat'] !== '1') throw new Wrong(403, 'Only this page may speak here')
    give(response, 200, 'application/json', JSON.stringify(await act(player, url, await readBody(request))))
  }

  async function act(player: Person, url: URL, body: Buffer): Promise<unknown> {
    switch (url.pathname) {
      case '/chat/file':
        return player.sendsFile(url.searchParams.get('name') || 'file', body)
      case '/chat/say': {
        const { text, replyTo } = read(Acts['/chat/say'], body)
        return player.says(text, replyTo === null ? {} : { replyTo })
      }
      case '/chat/press': {
        const { messageId, data } = read(Acts['/chat/press'], body)
        await player.pressesForged(messageId, data).catch(() => {
          throw new Wrong(504, 'The bot did not answer')
        })
        return player.answers().at(-1)
      }
      case '/chat/start': {
        const { code } = read(Acts['/chat/start'], body)
        return player.starts(code || undefined)
      }
      case '/chat/block':
        read(Acts['/chat/block'], body)
        return player.blocks()
      default:
        throw new Wrong(404, 'There is no such page')
    }
  }

  /** The whole chat again at every change: it is short, and nothing can be missed. */
  function watch(room: Room, player: Person, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    const tell = () => response.write(`data: ${JSON.stringify(stateOf(room, player))}\n\n`)
    tell()
    const unlisten = world.listen((changed) => changed === room && tell())
    response.on('close', unlisten)
  }

  const stateOf = (room: Room, player: Person) => ({
    bot: { name: world.bot.first_name, username: world.bot.username },
    players: players.map(({ id, user }) => ({ id, name: user.first_name })),
    player: player.id,
    access: room.access,
    commands: [...world.commands.values()][0] ?? [],
    messages: [...room.messages.values()].slice(-SHOWN).map((message) => shown(message, world)),
  })

  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch((error: unknown) => {
      const status = error instanceof Wrong ? error.status : 500
      give(response, status, 'application/json', JSON.stringify({ message: (error as Error).message }))
    })
  }
}

const shown = (message: Message, { bot }: World) => ({
  id: message.message_id,
  isFromBot: message.from === bot,
  text: message.text ?? message.caption ?? '',
  entities: message.entities ?? [],
  file: message.document?.file_name ?? null,
  at: message.date * 1000,
  isEdited: message.edit_date !== undefined,
  replyTo: message.reply_to_message?.text ?? message.reply_to_message?.caption ?? null,
  rows: message.reply_markup?.inline_keyboard ?? [],
})

function read<T>(schema: z.ZodType<T>, body: Buffer): T {
  const result = schema.safeParse(JSON.parse(body.toString('utf8')))
  if (!result.success) throw new Wrong(400, z.prettifyError(result.error))
  return result.data
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > FILE_MAX) throw new Wrong(413, 'The file is larger than 25 MB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function give(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  response.end(body)
}

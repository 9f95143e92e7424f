import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { onLoopback } from '../loopback.ts'
import { createLedger } from './ledger.ts'
import { isMethod, type Method, readArguments } from './telegram-arguments.ts'
import { readCall, type TelegramCall } from './telegram-call.ts'
import { type Answer, give, refused, type TelegramFault, told } from './telegram-lies.ts'
import { createLimits, type TelegramLimits } from './telegram-limits.ts'
import { createMethods } from './telegram-methods.ts'
import { createChatPage } from './telegram-page.ts'
import { createPeople, type People, type Person, type PersonOptions } from './telegram-people.ts'
import { Refusal } from './telegram-refusal.ts'
import { createUpdates, type Misdelivery, type WebhookPost } from './telegram-updates.ts'
import { createWorld } from './telegram-world.ts'

export type TelegramSimulator = People & {
  url: URL
  /** For `TELEGRAM_API_ROOT` and for grammY, which wants no slash at its end. */
  apiRoot: string
  /** The page for people. */
  chatUrl: URL
  players: readonly Person[]
  token: string
  username: string
  /** Every call that is over, noted before its answer left. */
  ledger: readonly TelegramCall[]
  /** Every call that came, answered or not; of one method only where it is named. */
  calls(method?: Method): TelegramCall[]
  /** The next calls of this method meet these, one each; null is an honest answer. */
  lieNext(method: Method, ...faults: (TelegramFault | null)[]): void
  /** For longer runs: asked about every call that lieNext has nothing planned for. */
  lieBy(schedule: (call: TelegramCall) => TelegramFault | null): void
  /** How updates come from now on; `{}` is honest. */
  misdeliver(misdelivery: Misdelivery): void
  /** The next update has any lower id, as after a week of silence. */
  restartUpdateIds(): void
  /** Brings any update, as it is given. */
  bringUpdate(kind: string, content: unknown): void
  /** Null lets everything pass. */
  limit(limits: TelegramLimits | null): void
  /** Every try to post an update to the webhook. */
  posts: readonly WebhookPost[]
  close(): Promise<void>
}

export type { TelegramFault } from './telegram-lies.ts'

export type TelegramSimulatorOptions = {
  token?: string
  username?: string
  port?: number
  /** None by default, for fast tests; DOCUMENTED_LIMITS are those of the real one. */
  limits?: TelegramLimits | null
  now?: () => number
  random?: () => number
  /** Every call is appended here as a JSON line, and safe on the disk before the answer leaves. */
  ledgerFile?: string
  /** Where webhook posts go in truth, whatever origin the webhook was set to. */
  webhookTo?: URL
  /** How long it waits before it repeats a post for the first time. */
  repeatMs?: number
  /** For a bot that remembers the messages of an earlier simulator. */
  firstMessageId?: number
  /** Who can be played on the page for people, at /chat; without anybody there is none. */
  players?: readonly PersonOptions[]
}

const BOT_ID = 7_012_345_678
const DEFAULT_TOKEN = `${BOT_ID}:simulated_bot_token`

/** Telegram's Bot API on loopback, with people to talk to the bot and lies on demand. */
export async function startTelegramSimulator(
  options: TelegramSimulatorOptions = {},
): Promise<TelegramSimulator> {
  const {
    token = DEFAULT_TOKEN,
    username = 'postrider_test_bot',
    now = Date.now,
    random = Math.random,
  } = options
  const world = createWorld(
    { id: BOT_ID, is_bot: true, first_name: 'Postrider', username },
    now,
    options.firstMessageId ?? 101,
  )
  const limits = createLimits(options.limits ?? null, now)
  const updates = createUpdates({
    now,
    random,
    webhookTo: options.webhookTo ?? null,
    repeatMs: options.repeatMs ?? 100,
  })
  const methods = createMethods(world, updates, limits)
  const ledger = createLedger<TelegramCall>(options.ledgerFile)
  const received: TelegramCall[] = []
  const planned = new Map<string, (TelegramFault | null)[]>()
  let schedule: (call: TelegramCall) => TelegramFault | null = () => null

  function lieTo(call: TelegramCall): TelegramFault | null {
    const plan = planned.get(call.method)
    return plan && plan.length > 0 ? (plan.shift() ?? null) : schedule(call)
  }

  async function answerTo(request: IncomingMessage, gone: AbortSignal): Promise<Answer> {
    const url = new URL(request.url ?? '/', 'http://simulator')
    const [, place, given, rest = ''] = /^\/(bot|file\/bot)([^/]*)\/(.+)$/.exec(url.pathname) ?? []
    if (place === undefined) return refused(new Refusal(404, 'Not Found'))
    if (given !== token) return refused(new Refusal(401, 'Unauthorized'))
    return place === 'bot' ? call(rest, await readCall(request, url), gone) : download(rest)
  }

  function download(path: string): Answer {
    const file = [...world.files.values()].find((one) => one.path === path)
    return file
      ? { status: 200, type: 'application/octet-stream', body: file.content }
      : refused(new Refusal(404, 'Not Found'))
  }

  async function call(method: string, args: Record<string, unknown>, gone: AbortSignal): Promise<Answer> {
    const call: TelegramCall = { number: received.length + 1, method, args, outcome: null, description: null }
    received.push(call)
    const lie = lieTo(call)
    if (lie?.kind === 'delay') await sleep(lie.ms)
    if (lie?.kind === 'rate-limit' || (lie && 'when' in lie && lie.when === 'before')) {
      ledger.note([Object.assign(call, { outcome: 'ignored' })])
      return told(lie)
    }
    const answer = await honest(call, gone)
    ledger.note([call])
    return lie && lie.kind !== 'delay' ? told(lie) : answer
  }

  async function honest(call: TelegramCall, gone: AbortSignal): Promise<Answer> {
    try {
      if (!isMethod(call.method)) throw new Refusal(404, 'Not Found: method not found')
      const result = await perform(call.method, call.args, gone)
      call.outcome = 'done'
      return { status: 200, type: 'application/json', body: JSON.stringify({ ok: true, result }) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      Object.assign(call, { outcome: 'refused', description: error.message })
      return refused(error)
    }
  }

  const perform = <M extends Method>(method: M, args: Record<string, unknown>, gone: AbortSignal): unknown =>
    methods[method](readArguments(method, args), gone)

  const people = createPeople(world, updates)
  const players = (options.players ?? []).map(people.person)
  const page = players.length > 0 ? createChatPage(world, players) : null
  const server = createServer((request, response) => {
    if (page && request.url?.startsWith('/chat')) return void page(request, response)
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    answerTo(request, gone.signal).then(
      (answer) => give(answer, request, response),
      () => request.socket.destroy(),
    )
  })
  const { url, close } = await onLoopback(server, options.port)

  return {
    ...people,
    url,
    chatUrl: new URL('/chat', url),
    players,
    apiRoot: url.origin,
    token,
    username,
    ledger: ledger.taken,
    calls: (method) => received.filter((one) => method === undefined || one.method === method),
    lieNext: (method, ...faults) => void planned.set(method, [...(planned.get(method) ?? []), ...faults]),
    lieBy: (next) => {
      schedule = next
    },
    misdeliver: updates.misdeliver,
    restartUpdateIds: updates.restartIds,
    bringUpdate: (kind, content) => void updates.push(kind, content, 0),
    limit: limits.set,
    posts: updates.posts,
    async close() {
      updates.close()
      await close()
      ledger.close()
    },
  }
}

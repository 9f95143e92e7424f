import { setTimeout as sleep } from 'node:timers/promises'
import { type Api, GrammyError } from 'grammy'
import { type Database, isDatabaseAway } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { Notices } from '../platform/notices.ts'
import { grammySignal, isBlocked, isGone, isUnchanged, loggable, TelegramBusy } from './calls.ts'
import type { CampaignViews, View } from './campaign-views.ts'
import { CARD_NOTICE, hashOf } from './cards.ts'
import { asSent } from './chat.ts'
import type { Links } from './links.ts'
import { listenTo } from './listening.ts'
import * as store from './store/cards.ts'

/** Changes cards as what they show changes, in one process for all. */
type Following = { run(signal: AbortSignal): Promise<void> }

type Needs = {
  db: Database
  api: Pick<Api, 'editMessageText'>
  views: Pick<CampaignViews, 'campaign' | 'card' | 'list'>
  links: Pick<Links, 'setBlocked'>
  notices: Pick<Notices, 'subscribe'>
  log: Log
}

/** A card changes at most so often: a chat has other things to show, and Telegram counts them. */
const PACE_MS = 2_500
/** What nobody told of is found by looking at all cards. */
const LOOK_MS = 30_000
/** A chat that takes long holds its own cards up and no others, until there are so many of them. */
const CHATS_AT_ONCE = 30
const AGAIN_MS = 5_000
/** What could not be shown by then is out of date, and might take the place of what somebody was asked meanwhile. */
const EDIT_MS = 6_000

export function createFollowing({ db, api, views, links, notices, log }: Needs): Following {
  async function viewOf(card: store.LiveCard): Promise<View | null> {
    if (card.campaignId === null) return views.list(card, null)
    try {
      return views.card(card, await views.campaign(card, card.campaignId))
    } catch (error) {
      if (error instanceof AppError && error.status === 404) return null
      throw error
    }
  }

  async function refresh(card: store.LiveCard, signal: AbortSignal): Promise<void> {
    const view = await viewOf(card)
    if (!view) return store.stopCard(db, card)
    const { message, isMoving } = view
    const shown = hashOf(message)
    if (shown !== card.shown && (await store.isLive(db, card)))
      await api
        .editMessageText(
          Number(card.telegramUserId),
          Number(card.messageId),
          message.text.html,
          asSent(message),
          grammySignal(AbortSignal.any([signal, AbortSignal.timeout(EDIT_MS)])),
        )
        .catch((error: unknown) => {
          if (!isUnchanged(error)) throw error
        })
    if (shown !== card.shown || !isMoving) await store.noteShown(db, card, { shown, isLive: isMoving })
  }

  /** True where it is to be tried again. */
  async function settleFailure(card: store.LiveCard, error: unknown): Promise<boolean> {
    if (isBlocked(error)) {
      await links.setBlocked(card.telegramUserId, true)
      await store.stopOldCards(db)
      return false
    }
    const isRefused = error instanceof GrammyError && error.error_code === 400
    if (!isRefused) return true
    // Whatever is wrong with it would be wrong again.
    if (!isGone(error)) log.warn({ err: loggable(error) }, 'a card in a chat could not be changed')
    await store.stopCard(db, card)
    return false
  }

  return {
    async run(signal) {
      const heard = createHeard()
      const chats = new Map<string, Promise<void>>()
      const heldUntil = new Map<string, number>()
      let lookAt = 0
      let lastServed = ''

      async function serve(linkId: string, cards: readonly store.LiveCard[]): Promise<void> {
        for (const card of cards) {
          try {
            await refresh(card, signal)
          } catch (error) {
            if (signal.aborted) return
            const isAgain = await settleFailure(card, error).catch(() => true)
            if (!isAgain) continue
            const seconds = error instanceof TelegramBusy ? error.seconds : 0
            heldUntil.set(linkId, performance.now() + Math.max(AGAIN_MS, seconds * 1000))
            for (const one of cards) heard.add(one)
            if (!isDatabaseAway(error))
              log.debug({ err: loggable(error) }, 'a card in a chat is changed later')
            return
          }
        }
      }

      async function turn(): Promise<void> {
        const isLook = performance.now() >= lookAt
        // Before it begins: what is missed meanwhile asks for another look.
        if (isLook) lookAt = performance.now() + LOOK_MS
        const wanted = heard.take()
        if (isLook) await store.stopOldCards(db)
        const cards = await store.listLiveCards(db, isLook ? null : wanted)
        for (const [linkId, until] of heldUntil) if (until <= performance.now()) heldUntil.delete(linkId)
        const ofChats = Map.groupBy(cards, (card) => card.linkId)
        for (const [linkId, ofChat] of inTurn(ofChats, lastServed)) {
          const isHeld = heldUntil.has(linkId)
          if (isHeld || chats.has(linkId) || chats.size >= CHATS_AT_ONCE) {
            for (const card of ofChat) heard.add(card)
            continue
          }
          lastServed = linkId
          chats.set(
            linkId,
            serve(linkId, ofChat).finally(() => chats.delete(linkId)),
          )
        }
      }

      await listenTo(notices, signal, {
        heard: ({ userId, kind, id }) => {
          if (kind === 'campaign' || kind === CARD_NOTICE) heard.add({ userId, campaignId: id || null })
        },
        missed: () => {
          lookAt = 0
          heard.wake()
        },
      })
      while (!signal.aborted) {
        await turn().catch((error: unknown) => {
          lookAt = 0
          if (!isDatabaseAway(error)) log.warn({ err: error }, 'cards in chats wait')
        })
        await sleep(PACE_MS, undefined, { signal }).catch(() => {})
        await heard.wait(Math.max(0, lookAt - performance.now()), signal)
      }
      await Promise.all(chats.values())
    },
  }
}

/** Whoever comes after the one that was served last is first: of more than can be served at once each has a turn. */
export function inTurn<T>(ofChats: ReadonlyMap<string, T>, lastServed: string): [string, T][] {
  const inOrder = [...ofChats].sort(([one], [other]) => (one < other ? -1 : 1))
  const next = inOrder.findIndex(([linkId]) => linkId > lastServed)
  return next === -1 ? inOrder : [...inOrder.slice(next), ...inOrder.slice(0, next)]
}

type Wanted = { campaignIds: string[]; userIds: string[] }

/** What has changed since it was last asked. */
function createHeard() {
  const campaigns = new Set<string>()
  const users = new Set<string>()
  let wake = () => {}

  return {
    add({ userId, campaignId }: { userId: string; campaignId: string | null }): void {
      if (campaignId !== null) campaigns.add(campaignId)
      users.add(userId)
      wake()
    },
    wake: () => wake(),
    take(): Wanted {
      const wanted = { campaignIds: [...campaigns], userIds: [...users] }
      campaigns.clear()
      users.clear()
      return wanted
    },
    /** So long, or until there is something. */
    async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
      if (users.size > 0) return
      const woken = new AbortController()
      wake = () => woken.abort()
      await sleep(milliseconds, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(
        () => {},
      )
      wake = () => {}
    },
  }
}

import { Composer } from 'grammy'
import { isUnderWay } from '../../contract/under-way.ts'
import type { History } from '../campaigns/history.ts'
import type { DeliveryService } from '../delivery/service.ts'
import { AppError } from '../platform/errors.ts'
import type { Feature } from './bot.ts'
import { type CardAction, type ShownCampaign, unconfirmedMark } from './campaign-card.ts'
import {
  ADDRESSES_SHOWN,
  cancelQuestion,
  failuresMessage,
  resendQuestion,
  unconfirmedMessage,
} from './campaign-questions.ts'
import type { CampaignViews, View } from './campaign-views.ts'
import type { Cards } from './cards.ts'
import { type Chat, note, say, show } from './chat.ts'
import type { Message } from './markup.ts'

type Needs = {
  views: CampaignViews
  cards: Pick<Cards, 'shows' | 'rest'>
  history: Pick<History, 'failures' | 'deliveries'>
  delivery: Pick<DeliveryService, 'pause' | 'resume' | 'cancel' | 'retry'>
}

/** What the button showed when it was drawn, where it tells. */
type Shown = { round: number; unconfirmed: string }

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const CARD_PRESS = new RegExp(`^card/(${ID})/([a-z-]+)(?:/(\\d{1,9})(?:/([0-9a-z-]{1,13}))?)?$`)
const OLDER_PRESS = new RegExp(`^older/(\\d{1,17}_${ID})$`)
const NEWER_PRESS = new RegExp(`^newer/(${ID})$`)

/** The campaigns of whoever is linked: the latest, one of them, and what can be done with it. */
export function createCampaignsChat({ views, cards, history, delivery }: Needs): Feature {
  const chat = new Composer<Chat>()

  chat.command('campaigns', (chat) => showList(chat, null))
  chat.callbackQuery('campaigns', (chat) => showList(chat, null))
  chat.callbackQuery(OLDER_PRESS, (chat) => showList(chat, chat.match[1] ?? null))
  chat.callbackQuery(NEWER_PRESS, async (chat) =>
    showList(chat, await views.newerThan(chat.person, chat.match[1] ?? '')),
  )
  chat.callbackQuery(CARD_PRESS, async (chat, next) => {
    const [, id = '', action = '', round, unconfirmed = ''] = chat.match
    const press = presses.get(action)
    if (!press) return next()
    // Whatever was true when the button was drawn: read now, for whoever is linked now.
    const shown = { round: Number(round), unconfirmed }
    await press(chat, await views.campaign(chat.person, id), shown)
  })

  type Press = (chat: Chat, campaign: ShownCampaign, shown: Shown) => Promise<void>

  const PRESSES: Readonly<Record<CardAction, Press>> = {
    open: (chat, campaign) => showCard(chat, campaign, say),
    show: (chat, campaign) => showCard(chat, campaign),
    pause: (chat, { id }) => act(chat, id, 'Paused', delivery.pause),
    resume: (chat, { id }) => act(chat, id, 'Resumed', delivery.resume),
    cancel: (chat, { id }) => act(chat, id, 'Cancelled', delivery.cancel),
    async retry(chat, campaign, shown) {
      // Once for each time that it was shown: those who fail again are not tried again by the same press.
      if (campaign.round === shown.round) return again(chat, campaign, 'failed')
      await note(chat, begunBefore(campaign), { isBox: campaign.counts.failed > 0 })
      await showCard(chat, campaign)
    },
    async resend(chat, campaign, shown) {
      const isSame = campaign.round === shown.round
      if (campaign.counts.unknown === 0)
        return nobody(chat, campaign, isSame ? NOBODY_UNCONFIRMED : 'This is being done already')
      if (isSame && unconfirmedMark(campaign) === shown.unconfirmed && !canGrow(campaign))
        return again(chat, campaign, 'unconfirmed')
      if (!isSame) {
        await note(chat, sentSince(campaign), { isBox: true })
        return showCard(chat, campaign)
      }
      await note(chat, whyNot(campaign), { isBox: true })
      await askResend(chat, campaign)
    },

    async 'ask-cancel'(chat, campaign) {
      if (isUnderWay(campaign)) return showInstead(chat, cancelQuestion(campaign))
      await note(chat, 'This campaign has ended already: nobody is left to be cancelled')
      await showCard(chat, campaign)
    },
    async failures(chat, campaign) {
      if (campaign.counts.failed === 0) return nobody(chat, campaign, 'Nobody failed in this campaign')
      await showInstead(
        chat,
        failuresMessage(campaign, await history.failures(chat.person.userId, campaign.id)),
      )
    },
    async unconfirmed(chat, campaign) {
      if (campaign.counts.unknown === 0) return nobody(chat, campaign, NOBODY_UNCONFIRMED)
      await showInstead(chat, unconfirmedMessage(campaign))
    },
    'ask-resend': askResend,
  }

  const presses = new Map<string, Press>(Object.entries(PRESSES))

  async function showList(chat: Chat, cursor: string | null): Promise<void> {
    await showView(chat, null, await views.list(chat.person, cursor), show)
  }

  async function showCard(chat: Chat, campaign: ShownCampaign, how = show): Promise<void> {
    await showView(chat, campaign.id, views.card(chat.person, campaign), how)
  }

  async function showView(
    chat: Chat,
    campaignId: string | null,
    view: View,
    how: typeof show,
  ): Promise<void> {
    const messageId = await how(chat, view.message)
    await cards.shows(chat.person.linkId, messageId, { campaignId, ...view })
  }

  /** In the place of a card, which rests first: nothing may change a question that somebody is about to answer. */
  async function showInstead(chat: Chat, message: Message): Promise<void> {
    const card = chat.callbackQuery?.message?.message_id
    if (card !== undefined) await cards.rest(chat.person.linkId, card)
    await show(chat, message)
  }

  async function nobody(chat: Chat, campaign: ShownCampaign, sentence: string): Promise<void> {
    await note(chat, sentence)
    await showCard(chat, campaign)
  }

  /** What the engine refuses is told in its words, and the card shows how things stand. */
  async function act(
    chat: Chat,
    id: string,
    done: string,
    action: (userId: string, id: string) => Promise<void>,
  ): Promise<void> {
    try {
      await action(chat.person.userId, id)
      await note(chat, done)
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 409) throw error
      await note(chat, error.message, { isBox: true })
    }
    await showCard(chat, await views.campaign(chat.person, id))
  }

  async function again(chat: Chat, campaign: ShownCampaign, which: 'failed' | 'unconfirmed'): Promise<void> {
    const { id, round, counts } = campaign
    const retry = (userId: string) => delivery.retry(userId, id, which, { round, counts })
    await act(chat, id, 'They are being sent it again', retry)
  }

  async function askResend(chat: Chat, campaign: ShownCampaign): Promise<void> {
    const query = { state: 'unknown' as const, limit: ADDRESSES_SHOWN }
    const { items } = await history.deliveries(chat.person.userId, campaign.id, query)
    if (items.length === 0) return nobody(chat, campaign, NOBODY_UNCONFIRMED)
    const addresses = items.map(({ address }) => address)
    await showInstead(chat, resendQuestion(campaign, addresses))
  }

  return { chat }
}

/** Whoever is on the way may still become unconfirmed, also after the look that a press begins with. */
const canGrow = ({ state, counts }: ShownCampaign): boolean => state === 'sending' || counts.inFlight > 0

function whyNot(campaign: ShownCampaign): string {
  if (!canGrow(campaign)) return COUNT_CHANGED
  return campaign.state === 'paused' ? STILL_ON_THE_WAY : STILL_SENDING
}

/** A list is queued again piece by piece: a press that was cut off has begun it, and some may not be among them. */
function begunBefore({ counts: { failed } }: ShownCampaign): string {
  if (failed === 0) return 'This is being done already'
  const left = failed === 1 ? '1 recipient is' : `${failed.toLocaleString('en-US')} recipients are`
  return `This was begun by an earlier press. ${left} failed as of now: once the campaign has ended, Retry failed sends it to them again`
}

/** By this very button, or another one: whoever pressed twice must not hear that nobody was sent it again. */
function sentSince({ counts: { unknown } }: ShownCampaign): string {
  const left = unknown === 1 ? '1 recipient is' : `${unknown.toLocaleString('en-US')} recipients are`
  return `This campaign was sent again since this was asked. ${left} unconfirmed as of now: please look once more`
}

const NOBODY_UNCONFIRMED = 'Nobody is unconfirmed in this campaign'
const COUNT_CHANGED =
  'Who is unconfirmed has changed since this was asked, so nobody was sent it again. Please look once more'
const STILL_SENDING =
  'This campaign is still being sent, so nobody was sent it again yet. Please press again when it has ended'
const STILL_ON_THE_WAY =
  'Some of its mails are still on their way, so nobody was sent it again yet. Should that last, resume or cancel the campaign first'

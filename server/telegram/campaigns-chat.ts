import { Composer } from 'grammy'
import type { History } from '../campaigns/history.ts'
import type { DeliveryService } from '../delivery/service.ts'
import { AppError } from '../platform/errors.ts'
import type { Feature } from './bot.ts'
import type { CardAction, ShownCampaign } from './campaign-card.ts'
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

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const CARD_PRESS = new RegExp(`^card/(${ID})/([a-z-]+)(?:/(\\d{1,9}))?$`)
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
    const [, id = '', action = '', round] = chat.match
    const press = presses.get(action)
    if (!press) return next()
    // Whatever was true when the button was drawn: read now, for whoever is linked now.
    await press(chat, await views.campaign(chat.person, id), Number(round))
  })

  type Press = (chat: Chat, campaign: ShownCampaign, round: number) => Promise<void>

  const PRESSES: Readonly<Record<CardAction, Press>> = {
    open: (chat, campaign) => showCard(chat, campaign, say),
    show: (chat, campaign) => showCard(chat, campaign),
    pause: (chat, { id }) => act(chat, id, 'Paused', delivery.pause),
    resume: (chat, { id }) => act(chat, id, 'Resumed', delivery.resume),
    cancel: (chat, { id }) => act(chat, id, 'Cancelled', delivery.cancel),
    retry: (chat, campaign, round) => again(chat, campaign, round, 'failed'),
    resend: (chat, campaign, round) => again(chat, campaign, round, 'unconfirmed'),

    async 'ask-cancel'(chat, campaign) {
      if (campaign.state === 'sending' || campaign.state === 'paused')
        return showInstead(chat, cancelQuestion(campaign))
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
      if (campaign.counts.unknown === 0)
        return nobody(chat, campaign, 'Nobody is unconfirmed in this campaign')
      await showInstead(chat, unconfirmedMessage(campaign))
    },
    async 'ask-resend'(chat, campaign) {
      const query = { state: 'unknown' as const, limit: ADDRESSES_SHOWN }
      const { items } = await history.deliveries(chat.person.userId, campaign.id, query)
      if (items.length === 0) return nobody(chat, campaign, 'Nobody is unconfirmed in this campaign')
      const addresses = items.map(({ address }) => address)
      await showInstead(chat, resendQuestion(campaign, addresses))
    },
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

  /** Once for each time that the button was shown: those who fail again are not tried again by the same press. */
  async function again(
    chat: Chat,
    campaign: ShownCampaign,
    round: number,
    which: 'failed' | 'unconfirmed',
  ): Promise<void> {
    if (campaign.round !== round) return nobody(chat, campaign, 'This is being done already')
    await act(chat, campaign.id, 'They are being sent it again', (userId, id) =>
      delivery.retry(userId, id, which),
    )
  }

  return { chat }
}

import { Composer } from 'grammy'
import type { TemplatesService } from '../templates/service.ts'
import type { Feature } from './bot.ts'
import type { CampaignViews } from './campaign-views.ts'
import type { Cards } from './cards.ts'
import { type Chat, note, say, show } from './chat.ts'
import { createLetterDialogue } from './letter-dialogue.ts'
import {
  FROM_PRESS,
  fromPressOf,
  LEAVE_PRESS,
  LETTER_PRESS,
  type LetterAction,
  minutesSince,
  SEND_PRESS,
  WRITE_PRESS,
} from './letter-presses.ts'
import { createSteps, LETTER, stateOf } from './letter-steps.ts'
import { counted, discardQuestion, unfinishedQuestion } from './letter-views.ts'
import type { Letter, Letters } from './letters.ts'
import { markup } from './markup.ts'
import type { ReceivedFiles } from './received-file.ts'
import { templateButtons } from './template-list.ts'

type Needs = {
  letters: Letters
  templates: Pick<TemplatesService, 'names'>
  files: ReceivedFiles
  views: Pick<CampaignViews, 'campaign' | 'card'>
  cards: Pick<Cards, 'shows'>
}

/** Shorter than the engine remembers what it was asked before, and than anybody remembers what they were shown. */
const PREVIEW_MINUTES = 12 * 60

/** Writing a letter in the chat, and sending it. */
export function createSendChat({ letters, templates, files, views, cards }: Needs): Feature {
  const chat = new Composer<Chat>()
  const steps = createSteps({ letters })
  const dialogue = createLetterDialogue({ letters, steps, files })

  chat.command('send', async (chat) => {
    const open = await letters.unfinished(chat.person)
    if (open) await say(chat, unfinishedQuestion(open))
    else await chooseLetter(chat, 0)
  })
  chat.callbackQuery(/^choose\/(\d{1,5})$/, (chat) => chooseLetter(chat, Number(chat.match[1])))
  chat.callbackQuery(WRITE_PRESS, (chat) => begin(chat, null))
  chat.callbackQuery(FROM_PRESS, (chat) => begin(chat, chat.match[1] ?? ''))
  chat.callbackQuery(SEND_PRESS, (chat) => {
    const [, id = '', version = '', leftOut = '', shownAt = ''] = chat.match
    return confirm(chat, id, { version, leftOut, minutes: minutesSince(shownAt, Date.now()) })
  })
  chat.callbackQuery(LEAVE_PRESS, async (chat) => {
    const [, id = '', version = ''] = chat.match
    const letter = await unsent(chat, id)
    if (letter) await leaveOut(chat, letter, version)
  })
  chat.callbackQuery(LETTER_PRESS, async (chat, next) => {
    const [, id = '', action = ''] = chat.match
    const press = presses.get(action)
    if (!press) return next()
    // Whatever was true when the button was drawn: read now, of whoever is linked now.
    const letter = await unsent(chat, id)
    if (letter) await press(chat, letter)
  })

  type Press = (chat: Chat, letter: Letter) => Promise<void>

  const PRESSES: Readonly<Record<LetterAction, Press>> = {
    'go-on': (chat, letter) => steps.next(chat, letter),
    async anew(chat, { id }) {
      await letters.discard(chat.person, id)
      await chat.endDialogue()
      await chooseLetter(chat, 0)
    },
    subject: (chat, letter) => steps.ask(chat, letter, 'subject'),
    body: (chat, letter) => steps.ask(chat, letter, 'body'),
    recipients: (chat, letter) => steps.ask(chat, letter, 'recipients'),
    async 'new-list'(chat, letter) {
      await letters.change(chat.person, letter.id, { recipients: [] })
      await steps.ask(chat, { ...letter, recipients: [] }, 'recipients')
    },
    done: (chat, letter) => steps.next(chat, letter),
    'ask-discard': async (chat, letter) => void (await show(chat, discardQuestion(letter))),
    async discard(chat, { id }) {
      await letters.discard(chat.person, id)
      await chat.endDialogue()
      await show(chat, { text: markup`The letter is discarded. Nothing was sent.` })
    },
  }
  const presses = new Map<string, Press>(Object.entries(PRESSES))

  async function chooseLetter(chat: Chat, page: number): Promise<void> {
    const all = await templates.names(chat.person.userId)
    if (all.length === 0) return begin(chat, null)
    await show(chat, {
      text: markup`Which letter do you want to send?`,
      buttons: [
        ...templateButtons(all, page, { place: 'choose', press: ({ id }) => fromPressOf(id) }),
        [{ text: '✏️ Write a new one', press: WRITE_PRESS }],
      ],
    })
  }

  async function begin(chat: Chat, templateId: string | null): Promise<void> {
    const open = await letters.unfinished(chat.person)
    if (open) {
      // The same button, pressed twice, or by an update that comes again.
      const isSame = templateId !== null && (await letters.isJustBegun(chat.person, open, templateId))
      if (isSame) return steps.next(chat, open)
      await show(chat, unfinishedQuestion(open))
      return
    }
    await steps.next(chat, await letters.begin(chat.person, chat.onceKey, templateId))
  }

  /** A letter that can still be changed; of one that was sent the card is shown. */
  async function unsent(chat: Chat, id: string): Promise<Letter | null> {
    const letter = await letters.find(chat.person, id)
    if (letter.campaignId === null) return letter
    await leaveDialogue(chat, letter)
    await note(chat, 'This letter is sent already', { isBox: true })
    await showCard(chat, letter.campaignId)
    return null
  }

  async function leaveDialogue(chat: Chat, { id }: Letter): Promise<void> {
    if (stateOf(chat)?.letter === id) await chat.endDialogue()
  }

  type Shown = { version: string; leftOut: string; minutes: number }

  async function confirm(chat: Chat, id: string, shown: Shown): Promise<void> {
    const letter = await unsent(chat, id)
    if (!letter) return
    const { version, leftOut, audience, suppressed } = await letters.preview(chat.person, letter)
    if (version !== shown.version) return again(chat, letter, OLDER_THAN_LETTER)
    if (!(shown.minutes <= PREVIEW_MINUTES)) return again(chat, letter, TOO_OLD)
    const isSendable = audience.bad.length === 0 && audience.people.length > suppressed.length
    if (!isSendable) return again(chat, letter, 'There is nobody left to send this to')
    if (leftOut !== shown.leftOut) return again(chat, letter, OTHERS_LEFT_OUT)
    const { campaignId, people } = await letters.send(chat.person, letter)
    await note(chat, `On its way to ${counted(people, 'person', 'people')}`)
    await leaveDialogue(chat, letter)
    await showCard(chat, campaignId)
  }

  async function again(chat: Chat, letter: Letter, sentence: string): Promise<void> {
    await note(chat, sentence, { isBox: true })
    await steps.next(chat, letter)
  }

  /** The message of the button becomes the card, once: it then follows the campaign by itself. */
  async function showCard(chat: Chat, campaignId: string): Promise<void> {
    const pressed = chat.callbackQuery?.message?.message_id ?? 0
    if (await letters.isCardOf(chat.person, pressed, campaignId)) return
    const view = views.card(chat.person, await views.campaign(chat.person, campaignId))
    const messageId = await show(chat, view.message)
    await cards.shows(chat.person.linkId, messageId, { campaignId, ...view })
  }

  async function leaveOut(chat: Chat, letter: Letter, version: string): Promise<void> {
    const preview = await letters.preview(chat.person, letter)
    if (preview.version !== version) return again(chat, letter, OLDER_THAN_LETTER)
    const bad = new Set(preview.audience.bad)
    const recipients = letter.recipients.filter((entry) => !bad.has(entry))
    await letters.change(chat.person, letter.id, { recipients })
    await steps.next(chat, { ...letter, recipients })
  }

  return { chat, dialogues: { [LETTER]: dialogue.hear } }
}

const OLDER_THAN_LETTER = 'This preview is older than your letter, so nothing was done. Here is the new one'
const OTHERS_LEFT_OUT =
  'Your suppression list has changed since this preview, so nothing was sent. Here is the new one'
const TOO_OLD = 'This preview is older than 12 hours, so nothing was sent. Please look at it once more'

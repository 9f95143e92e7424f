import { Composer } from 'grammy'
import { isAnswered } from './answering.ts'
import type { Feature } from './bot.ts'
import { type Chat, say, show } from './chat.ts'
import { COMMANDS } from './commands.ts'
import type { Links } from './links.ts'
import { type Markup, markup } from './markup.ts'

/** What belongs to no feature: help, leaving a dialogue, leaving altogether. */
export function createHouse({ links }: { links: Pick<Links, 'unlink'> }): Feature {
  const chat = new Composer<Chat>()

  chat.command(['start', 'help'], async (chat) => {
    const lines = COMMANDS.map(({ command, description }) => markup`/${command} · ${description}`)
    await say(chat, {
      text: markup`Linked to <b>${chat.person.email}</b>. I can do this:

${lines}`,
    })
  })

  chat.command('cancel', async (chat) => {
    await chat.endDialogue()
    await say(chat, { text: leavingOf(chat) })
  })

  chat.command('unlink', async (chat) => {
    await say(chat, {
      text: markup`Unlink this Telegram account from <b>${chat.person.email}</b>?

Campaigns go on as they are; you are told nothing here any more.`,
      buttons: [
        [
          { text: 'Unlink', press: 'unlink' },
          { text: 'Keep', press: 'keep-link' },
        ],
      ],
    })
  })
  chat.callbackQuery('unlink', async (chat) => {
    const { userId, telegramUserId, email } = chat.person
    await links.unlink(userId, telegramUserId)
    await show(chat, {
      text: markup`Unlinked from <b>${email}</b>. To come back, make a new code in Settings.`,
    })
  })
  chat.callbackQuery('keep-link', async (chat) => {
    await show(chat, { text: markup`Still linked to <b>${chat.person.email}</b>.` })
  })
  return { chat }
}

function leavingOf(chat: Chat): Markup {
  if (chat.dialogue === null) return markup`There is nothing to cancel.`
  return isAnswered(chat) ? markup`Left. Your answer before was sent.` : markup`Left. Nothing was sent.`
}

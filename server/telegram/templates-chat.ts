import { Composer } from 'grammy'
import type { TemplatesService } from '../templates/service.ts'
import type { Feature } from './bot.ts'
import { timeOf } from './campaign-card.ts'
import { type Chat, show } from './chat.ts'
import { fromPressOf, pagePressOf, TEMPLATE_PRESS, templatePressOf } from './letter-presses.ts'
import { counted, quoted } from './letter-views.ts'
import { markup, oneLine } from './markup.ts'
import { templateButtons } from './template-list.ts'

type Needs = { templates: Pick<TemplatesService, 'names' | 'find'> }

/** Templates, to look at and to use; they are written on the screen. */
export function createTemplatesChat({ templates }: Needs): Feature {
  const chat = new Composer<Chat>()

  chat.command('templates', (chat) => showList(chat, 0))
  chat.callbackQuery(/^templates\/(\d{1,5})$/, (chat) => showList(chat, Number(chat.match[1])))
  chat.callbackQuery(TEMPLATE_PRESS, (chat) => showOne(chat, chat.match[1] ?? '', Number(chat.match[2])))

  async function showList(chat: Chat, page: number): Promise<void> {
    const all = await templates.names(chat.person.userId)
    const where = markup`Templates are made, changed and deleted on the <b>Templates</b> screen of Postrider.`
    if (all.length === 0) {
      await show(chat, { text: markup`You have no templates yet.\n\n${where}` })
      return
    }
    await show(chat, {
      text: markup`You have <b>${counted(all.length, 'template')}</b>, those used last first.\n\n${where}`,
      buttons: templateButtons(all, page, {
        place: 'templates',
        press: ({ id }, page) => templatePressOf(id, page),
      }),
    })
  }

  async function showOne(chat: Chat, id: string, page: number): Promise<void> {
    const { userId, timeZone } = chat.person
    const { name, subject, body, usageCount, lastUsed } = await templates.find(userId, id)
    const used = lastUsed === null ? '' : `, last on ${timeOf(lastUsed, timeZone)}`
    await show(chat, {
      text: markup`<b>${oneLine(name, 200)}</b>
Used ${counted(usageCount, 'time')}${used}

Subject: <b>${oneLine(subject, 998)}</b>
${quoted(body)}`,
      buttons: [
        [
          { text: 'Use', press: fromPressOf(id) },
          { text: 'Back', press: pagePressOf('templates', page) },
        ],
      ],
    })
  }

  return { chat }
}

import { Composer } from 'grammy'
import type { Database } from '../platform/database.ts'
import type { Feature } from './bot.ts'
import { type Chat, say, show } from './chat.ts'
import { type Button, type Message, markup } from './markup.ts'
import { readHours, readTimeZone, shownHours } from './quiet-hours.ts'
import { type Alerts, findPersonOfLink, type Person, type QuietHours } from './store/links.ts'
import { setQuietHours, setTells, setTimeZone } from './store/settings.ts'

const ALERTS: readonly { alert: keyof Alerts; name: string }[] = [
  { alert: 'finished', name: 'A campaign has finished' },
  { alert: 'paused', name: 'A campaign was paused' },
  { alert: 'bounces', name: 'Many emails come back' },
  { alert: 'replies', name: 'New mail in the inbox' },
]
const NIGHTS: readonly QuietHours[] = [
  { from: 22 * 60, until: 7 * 60 },
  { from: 20 * 60, until: 8 * 60 },
]
const ZONES = [
  ...['UTC', 'Europe/London', 'Europe/Vienna', 'America/New_York', 'America/Los_Angeles'],
  ...['Asia/Kolkata', 'Asia/Tokyo', 'Australia/Sydney'],
]

/** What somebody is told without asking, and when not. */
export function createSettingsChat({ db }: { db: Database }): Feature {
  const chat = new Composer<Chat>()

  chat.command('settings', async (chat) => {
    await chat.endDialogue()
    await say(chat, settingsOf(chat.person))
  })

  // Each press says how it shall be, not that it shall change: pressed twice it is the same.
  chat.callbackQuery(/^tell\/(finished|paused|bounces|replies)\/(on|off)$/, async (chat) => {
    const alert = ALERTS.find((one) => one.alert === chat.match[1])?.alert
    if (alert) await setTells(db, chat.person.linkId, alert, chat.match[2] === 'on')
    await showSettings(chat)
  })

  chat.callbackQuery(/^quiet\/(off|\d{1,4}-\d{1,4})$/, async (chat) => {
    await chat.endDialogue()
    const wished = NIGHTS.find((night) => pressOf(night) === chat.match[0]) ?? null
    if (wished || chat.match[1] === 'off') await setQuietHours(db, chat.person.linkId, wished)
    await showSettings(chat)
  })
  chat.callbackQuery('quiet/own', async (chat) => {
    await chat.expect('quiet-hours', {})
    await say(chat, {
      text: markup`From when until when shall I be quiet? Send it like this: <code>22:30-06:15</code>

The clock is that of ${chat.person.timeZone}. /cancel leaves it as it is.`,
    })
  })

  chat.callbackQuery('zone', async (chat) => {
    await chat.expect('time-zone', {})
    const buttons = ZONES.map((zone) => [{ text: zone, press: `zone/${zone}` }])
    await show(chat, {
      text: markup`Your time zone is <b>${chat.person.timeZone}</b>. Choose another, or send its name, for example <code>Europe/Vienna</code>.`,
      buttons: [...buttons, [{ text: 'Back', press: 'settings' }]],
    })
  })
  chat.callbackQuery(/^zone\/([\w/+-]{1,40})$/, async (chat) => {
    const zone = ZONES.find((one) => one === chat.match[1])
    await chat.endDialogue()
    if (zone) await setTimeZone(db, chat.person.linkId, zone)
    await showSettings(chat)
  })
  chat.callbackQuery('settings', async (chat) => {
    await chat.endDialogue()
    await showSettings(chat)
  })

  async function showSettings(chat: Chat): Promise<void> {
    const person = await findPersonOfLink(db, chat.person.linkId)
    if (person) await show(chat, settingsOf(person))
  }

  return {
    chat,
    dialogues: {
      async 'quiet-hours'(chat) {
        const hours = readHours(chat.message?.text ?? '')
        if (!hours) {
          await say(chat, {
            text: markup`I cannot read this. Two different times of day, please, like <code>22:30-06:15</code>; or /cancel.`,
          })
          return
        }
        await setQuietHours(db, chat.person.linkId, hours)
        await chat.endDialogue()
        await showSettings(chat)
      },
      async 'time-zone'(chat) {
        const zone = readTimeZone(chat.message?.text ?? '')
        if (!zone) {
          await say(chat, {
            text: markup`I do not know this time zone. They are named like <code>Europe/Vienna</code> or <code>America/New_York</code>; /cancel leaves it as it is.`,
          })
          return
        }
        await setTimeZone(db, chat.person.linkId, zone)
        await chat.endDialogue()
        await showSettings(chat)
      },
    },
  }
}

const pressOf = ({ from, until }: QuietHours): string => `quiet/${from}-${until}`

function settingsOf({ alerts, quietHours, timeZone }: Person): Message {
  const toggles = ALERTS.map(({ alert, name }): Button[] => [
    { text: `${alerts[alert] ? '✅' : '▫️'} ${name}`, press: `tell/${alert}/${alerts[alert] ? 'off' : 'on'}` },
  ])
  const chosen = quietHours && pressOf(quietHours)
  const isOwn = quietHours !== null && !NIGHTS.some((night) => pressOf(night) === chosen)
  const mark = (isChosen: boolean, text: string): string => (isChosen ? `• ${text}` : text)
  return {
    text: markup`<b>What I tell you</b>
Press to switch it on or off.

<b>Quiet hours</b>: ${quietHours ? shownHours(quietHours) : 'none'}
What happens in them I tell you afterwards, in one message.

<b>Time zone</b>: ${timeZone}`,
    buttons: [
      ...toggles,
      [
        { text: mark(quietHours === null, 'Off'), press: 'quiet/off' },
        ...NIGHTS.map((night) => ({
          text: mark(pressOf(night) === chosen, shownHours(night)),
          press: pressOf(night),
        })),
        { text: mark(isOwn, 'Own…'), press: 'quiet/own' },
      ],
      [{ text: 'Time zone', press: 'zone' }],
    ],
  }
}

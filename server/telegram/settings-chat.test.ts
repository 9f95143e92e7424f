import { afterAll, beforeAll, expect, it } from 'vitest'
import { write } from '../test/inbox.ts'
import { aLinkedChat, anAppWithBot, type TelegramApp } from '../test/telegram.ts'

let app: TelegramApp
beforeAll(async () => {
  app = await anAppWithBot()
})
afterAll(() => app[Symbol.asyncDispose]())

it('what is told, quiet hours and the time zone are set by buttons or by typing, and stay', async () => {
  const { person, user } = await aLinkedChat(app, { timeZone: 'Europe/Vienna', isTold: true })
  await person.says('/settings')
  const settings = await person.hears('What I tell you')
  expect(person.transcript()).toContain(`Bot: What I tell you
  Press to switch it on or off.

  Quiet hours: none
  What happens in them I tell you afterwards, in one message.

  Time zone: Europe/Vienna
  [✅ A campaign has finished]
  [✅ A campaign was paused]
  [✅ Many emails come back]
  [✅ New mail in the inbox]
  [• Off] [22:00–07:00] [20:00–08:00] [Own…]
  [Time zone]`)
  const buttons = () =>
    person
      .messages()
      .find(({ id }) => id === settings.id)
      ?.buttons.flat()
  await person.presses('✅ New mail in the inbox', settings)
  // Pressed once more on a screen that was late, it is still off.
  await person.pressesForged(settings.id, 'tell/replies/off')
  expect(buttons()).toContain('▫️ New mail in the inbox')
  await person.presses('20:00–08:00', settings)
  expect(buttons()).toEqual(expect.arrayContaining(['Off', '• 20:00–08:00']))

  await person.presses('Own…', settings)
  await person.says('at night')
  await person.hears('I cannot read this')
  await person.sends('sticker')
  await person.hears('I cannot read this')
  await person.says('22:30 – 6:15')
  expect((await person.hears('Quiet hours: 22:30–06:15')).buttons.flat()).toContain('• Own…')

  await person.presses('Time zone')
  await person.hears('Your time zone is Europe/Vienna')
  await person.says('Atlantis')
  await person.hears('I do not know this time zone')
  await person.says('new york')
  const last = await person.hears('Time zone: America/New_York')
  await person.presses('Time zone', last)
  await person.presses('Asia/Tokyo', last)
  await person.hears('Time zone: Asia/Tokyo')
  await person.presses('Off', last)
  await person.hears('Quiet hours: none')
  for (const forged of ['quiet/1-2', 'zone/Nowhere', 'tell/replies/maybe'])
    await person.pressesForged(last.id, forged)
  await person.says('/settings')
  const again = await person.hears('Time zone: Asia/Tokyo')
  expect(again.text).toContain('Quiet hours: none')
  expect(again.buttons.flat()).toContain('▫️ New mail in the inbox')

  await write(user.browser, 'DELETE', `/api/telegram/link/${person.user.id}`)
  expect(await person.presses('✅ A campaign has finished', again)).toMatch(/not linked/)
})

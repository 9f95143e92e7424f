import { expect, it } from 'vitest'
import { finished, send } from '../test/campaigns.ts'
import { aLinkedChat, anAppWithBot } from '../test/telegram.ts'

it('cards and alerts get through where PUBLIC_URL names a host without a dot', {
  tags: 'thorough',
}, async () => {
  await using app = await anAppWithBot({ PUBLIC_URL: 'https://postrider' })
  const { user, person } = await aLinkedChat(app, { isTold: true })
  const { id } = await send(user.browser, { subject: 'News', recipients: ['a@x.test', 'b@x.test'] })
  await finished(user.browser, id)
  const alert = await person.hears('Finished: News')
  await person.says('/campaigns')
  await person.presses('News', await person.hears(/^Campaigns|News/))
  const card = await person.hears(/2 recipients\n/)
  for (const { buttons } of [alert, card]) expect(buttons.flat()).not.toContain('Open')
})

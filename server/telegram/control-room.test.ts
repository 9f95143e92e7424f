import { expect, it } from 'vitest'
import { detail, recipients } from '../test/campaigns.ts'
import { createGate } from '../test/gate.ts'
import { startResendSimulator } from '../test/simulators/resend.ts'
import { aLinkedChat, anAppWithBot } from '../test/telegram.ts'
import { historyOf } from '../test/telegram-letters.ts'
import { until } from '../test/until.ts'

it('a campaign to 2,000 is started, watched, paused, resumed and finished from the chat only, and the screens say the same', async () => {
  const resend = await startResendSimulator()
  await using app = await anAppWithBot({ RESEND_API_KEY: resend.apiKey, RESEND_BASE_URL: resend.url.href })
  const { user, person } = await aLinkedChat(app)
  // Twenty calls of a hundred each: the first few are answered at once, the others after the button was pressed.
  const gate = createGate()
  gate.shut()
  gate.letThrough(4)
  resend.lieBy(() => ({ kind: 'held', until: gate.pass() }))

  await person.says('/send')
  await person.hears(/subject/)
  await person.says('From my pocket')
  await person.hears(/the text/)
  await person.says('Hello everybody')
  await person.presses('Done')
  await person.hears(/To whom/)
  await person.sendsFile('people.csv', `address\n${recipients(2_000).join('\n')}\n`, { type: 'text/csv' })
  await person.hears(/To 2,000 people/)
  await person.presses('Send to 2,000')
  const card = await person.hears(/2,000 recipients/)
  const shown = () => person.messages().find(({ id }) => id === card.id)?.text ?? ''
  const [campaign] = await historyOf(user)
  const id = campaign?.id ?? ''

  await until('the card has moved', async () => /[1-9][\d,]* accepted/.test(shown()))
  await person.presses('⏸ Pause', card)
  gate.open()
  await until('nothing is on its way', async () => (await detail(user.browser, id)).counts.inFlight === 0)
  const paused = await detail(user.browser, id)
  expect(paused.state).toBe('paused')
  expect(paused.counts.accepted).toBeLessThan(2_000)
  const accepted = `${paused.counts.accepted.toLocaleString('en-US')} accepted`
  await until('the card shows where it stands', async () => shown().includes(accepted))

  await person.presses('▶️ Resume', card)
  await until(
    'the card shows the end',
    async () => /Finished/.test(shown()) && /2,000 accepted/.test(shown()),
    30_000,
  )
  await person.hears(/From my pocket[\s\S]*Finished|Finished[\s\S]*From my pocket/)

  const [entry] = await historyOf(user)
  expect(entry).toMatchObject({ status: 'sent', successfulCount: 2_000, recipientCount: 2_000 })
  expect(new Set(resend.ledger.map(({ mail }) => String(mail.to))).size).toBe(2_000)
  expect(resend.ledger).toHaveLength(2_000)
  await resend.close()
})

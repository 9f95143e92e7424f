import { expect, it } from 'vitest'
import { signedIn } from '../test/accounts.ts'
import { recipients, send } from '../test/campaigns.ts'
import { freshDatabase } from '../test/database.ts'
import { aRunningApp } from '../test/running-app.ts'
import { startTelegramSimulator } from '../test/simulators/telegram.ts'
import { aLinkedChat, botEnv } from '../test/telegram.ts'

it('what happened while no process looked after the bot is told by the next one, once', async () => {
  await using database = await freshDatabase()
  const telegram = await startTelegramSimulator()
  const start = (env: Record<string, string>) => aRunningApp(env, { database })
  try {
    const first = await start(botEnv(telegram))
    const { person, user } = await aLinkedChat({ running: first, telegram }, { isTold: true })
    await first[Symbol.asyncDispose]()
    {
      await using without = await start({})
      const browser = await signedIn(without, user.userId)
      await send(browser, { subject: 'In between', recipients: recipients(3) })
      await without.settled()
    }
    for (let round = 0; round < 2; round++) {
      await using next = await start(botEnv(telegram))
      if (round === 0) await person.hears('Finished: In between')
      await next.settled()
      await person.says('/help')
      await person.hears('I can do this')
    }
    expect(person.transcript().match(/Finished: In between/g)).toHaveLength(1)
  } finally {
    await telegram.close()
  }
})

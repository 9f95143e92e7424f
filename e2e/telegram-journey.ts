import type { LinkCode, TelegramBot } from '../contract/telegram.ts'
import { startTelegramSimulator, type TelegramSimulator } from '../server/test/simulators/telegram.ts'
import type { Person } from '../server/test/simulators/telegram-people.ts'
import { aMember, eventually, type Member, test } from './harness.ts'
import { aSite, type Site } from './site.ts'
import { BOT, LINK, LINKS } from './telegram-steps.ts'

type Fixtures = {
  $file: { telegram: TelegramSimulator; site: Site }
  $test: { owner: Member; ann: Person }
}

/** Journeys of somebody who is signed in, in an installation with a bot; Ann has an account at Telegram. */
export const telegramTest = test.extend<Fixtures>({
  telegram: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture needs
    async ({}, use) => {
      const telegram = await startTelegramSimulator()
      await use(telegram)
      await telegram.close()
    },
    { scope: 'file' },
  ],
  site: [
    async ({ telegram }, use) => {
      await using site = await aSite({
        TELEGRAM_BOT_TOKEN: telegram.token,
        TELEGRAM_API_ROOT: telegram.apiRoot,
      })
      const client = await (await aMember(site)).client()
      const state = async () => ((await client.get(BOT)).json() as TelegramBot).state
      await eventually(state).toBe('ready')
      await use(site)
    },
    { scope: 'file' },
  ],
  owner: async ({ site, context }, use) => {
    const owner = await aMember(site)
    await owner.signIn(context)
    await use(owner)
  },
  ann: async ({ telegram }, use) => use(telegram.person({ firstName: 'Ann', username: 'ann_keller' })),
})

export const telegramJourney = telegramTest.concurrent

export const BOT_NAME = '@postrider_test_bot'

export const linksOf = async (member: Member): Promise<unknown> =>
  (await (await member.client()).get(LINKS)).json()

/** As the person who has read the code on the screen. */
export async function linked(member: Member, person: Person): Promise<void> {
  const { code } = (await (await member.client()).post(LINK, {})).json() as LinkCode
  await person.starts(code)
  await person.hears('Linked to')
}

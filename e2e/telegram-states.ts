import type { LinkCode, TelegramBot, TelegramLink } from '../contract/telegram.ts'
import { aMember } from './harness.ts'
import type { State, World } from './state.ts'
import { button } from './steps.ts'
import { BOT, generateButton, LINK, LINKS, telegramCard } from './telegram-steps.ts'

const READY: TelegramBot = { state: 'ready', name: 'postrider_bot', problem: null }
const UNREACHABLE: TelegramBot = {
  state: 'unreachable',
  name: 'postrider_bot',
  problem:
    'Telegram does not know this token (401). Whoever operates this installation has to set the right one.',
}

const ANN: TelegramLink = {
  id: '7b1d0f0e-0000-4000-8000-000000000001',
  telegramUserId: '70001',
  telegramFirstName: 'Ann',
  telegramUsername: 'ann_keller',
  linkedAt: '2026-11-12T09:30:00.000Z',
  isBlocked: false,
}

const code = (minutes: number): LinkCode => ({
  code: 'K7QX-2M9P-RT4W-HB3N',
  expiresAt: new Date(Date.now() + minutes * 60_000).toISOString(),
  url: 'https://t.me/postrider_bot?start=K7QX-2M9P-RT4W-HB3N',
})

type Answers = { bot?: TelegramBot; links?: TelegramLink[] }

/** The card as these answers make it; journeys have a bot that is one. */
async function visit({ page, site }: World, { bot = READY, links = [] }: Answers): Promise<void> {
  await page.route(`**${BOT}`, (route) => route.fulfill({ json: bot }))
  await page.route(`**${LINKS}`, (route) => route.fulfill({ json: links }))
  const member = await aMember(site)
  await member.signIn(page.context())
  await page.goto('/settings')
  await telegramCard(page).scrollIntoViewIfNeeded()
}

async function visitWithCode(world: World, minutes: number): Promise<void> {
  await world.page.route(`**${LINK}?*`, (route) => route.fulfill({ json: code(minutes) }))
  await visit(world, {})
  await generateButton(world.page).click()
}

export const TELEGRAM_STATES: State[] = [
  {
    name: 'telegram, a bot that cannot be reached',
    async show(world) {
      await visit(world, { bot: UNREACHABLE })
      await button(world.page, 'Try again').waitFor()
    },
  },
  {
    name: 'telegram, not linked',
    async show(world) {
      await visit(world, {})
      await generateButton(world.page).waitFor()
    },
  },
  {
    name: 'telegram, code generated',
    toast: 'Code Generated',
    show: (world) => visitWithCode(world, 10),
  },
  {
    name: 'telegram, code expired',
    async show(world) {
      await visitWithCode(world, 0)
      await button(world.page, 'Generate New Code').waitFor()
    },
  },
  {
    name: 'telegram, linked',
    async show(world) {
      await visit(world, { links: [ANN] })
      await button(world.page, 'Unlink').waitFor()
    },
  },
  {
    name: 'telegram, the bot blocked',
    async show(world) {
      await visit(world, { links: [{ ...ANN, telegramUsername: null, isBlocked: true }] })
      await world.page.getByText('Alerts do not arrive').waitFor()
    },
  },
  {
    name: 'telegram, unlink asked',
    async show(world) {
      await visit(world, { links: [ANN] })
      await button(world.page, 'Unlink').click()
      await world.page.getByRole('dialog', { name: 'Unlink Ann?' }).waitFor()
    },
  },
]

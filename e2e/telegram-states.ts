import type { LinkCode, TelegramBot, TelegramLink } from '../contract/telegram.ts'
import { aMember } from './harness.ts'
import type { State, World } from './state.ts'
import { button } from './steps.ts'
import { BOT, codeField, generateButton, LINK, LINKS, telegramCard } from './telegram-steps.ts'

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

const lasting = (minutes: number, code: string): LinkCode => ({
  code,
  expiresAt: new Date(Date.now() + minutes * 60_000).toISOString(),
  url: `https://t.me/postrider_bot?start=${code}`,
})

type Answers = { bot?: TelegramBot; links?: TelegramLink[] }

/** The card as these answers make it; journeys have a bot that is one. */
async function visit({ page, site }: World, { bot = READY, links = [] }: Answers): Promise<void> {
  await page.route(`**${BOT}`, (route) => route.fulfill({ json: bot }))
  await page.route(`**${LINKS}`, (route) => route.fulfill({ json: links }))
  const member = await aMember(site)
  await member.signInOn(page)
  await page.goto('/settings')
  await telegramCard(page).scrollIntoViewIfNeeded()
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
    goesOn: true,
    async show({ page }) {
      await page.route(`**${BOT}`, (route) => route.fulfill({ json: READY }))
      await button(page, 'Try again').click()
      await generateButton(page).waitFor()
    },
  },
  {
    name: 'telegram, code expired',
    goesOn: true,
    async show({ page }) {
      const expired = lasting(0, 'W3DN-8F5K-JC6X-QY2T')
      await page.route(`**${LINK}?*`, (route) => route.fulfill({ json: expired }))
      await generateButton(page).click()
      await button(page, 'Generate New Code').waitFor()
    },
  },
  {
    name: 'telegram, code generated',
    goesOn: true,
    toast: 'Code Generated',
    async show({ page }) {
      const usable = lasting(10, 'K7QX-2M9P-RT4W-HB3N')
      await page.route(`**${LINK}?*`, (route) => route.fulfill({ json: usable }))
      await button(page, 'Generate New Code').click()
      await codeField(page).waitFor()
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
    name: 'telegram, unlink asked',
    goesOn: true,
    async show({ page }) {
      await button(page, 'Unlink').click()
      await page.getByRole('dialog', { name: 'Unlink Ann?' }).waitFor()
    },
  },
  {
    name: 'telegram, the bot blocked',
    rare: true,
    async show(world) {
      await visit(world, { links: [{ ...ANN, telegramUsername: null, isBlocked: true }] })
      await world.page.getByText('Alerts do not arrive').waitFor()
    },
  },
]

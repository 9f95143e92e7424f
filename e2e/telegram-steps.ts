import type { Page } from 'playwright-core'
import { button, field } from './steps.ts'

export const BOT = '/api/telegram/bot'
export const LINKS = '/api/telegram/links'
export const LINK = '/api/telegram/link'
export const CODE = '/api/telegram/code'

export const telegramCard = (page: Page) => page.getByRole('region', { name: 'Telegram Bot Integration' })
export const generateButton = (page: Page) => button(page, 'Generate Link Code')
export const codeField = (page: Page) => field(page, 'Link code')

/** What has the keyboard, in its own words. */
export const focusedWords = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const focused = document.activeElement
    return (focused instanceof HTMLInputElement ? focused.value : focused?.textContent) ?? ''
  })

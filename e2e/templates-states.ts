import type { Locator, Page } from 'playwright-core'
import { closeOpen, holdForNext, letThrough } from './going-on.ts'
import type { State, World } from './state.ts'
import { answerWith, button, field, tryAgain } from './steps.ts'
import { aWriter, card, fillTemplate, pretendUse, TEMPLATES, WELCOME } from './templates-steps.ts'

const SIX = [
  { name: 'A name that is much longer than what fits on one line of a card in any grid', body: '' },
  { name: 'Autumn', subject: 'x'.repeat(200), body: 'y'.repeat(600) },
  { name: 'Invoice reminder', subject: 'Invoice 4711 is still open' },
  { name: 'Event invitation', subject: 'You are invited', body: 'One line.' },
  { name: 'Newsletter', subject: 'News in November', body: 'Here is what happened since the last letter.' },
  { name: 'Welcome' },
]

/** Six templates, five of them used. */
async function aBusyWriter({ page, site }: World): Promise<void> {
  const { templates } = await aWriter(page, site, SIX)
  const uses = [
    [1204, 400],
    [3, 20],
    [12, 3],
    [1, 1],
    [7, 0],
  ] as const
  for (const [index, [times, daysAgo]] of uses.entries()) {
    const template = templates[index]
    if (template) await pretendUse(site, template, times, daysAgo)
  }
}

export const TEMPLATES_STATES: State[] = [
  {
    name: 'templates loading',
    async show(world) {
      const { page } = world
      await aBusyWriter(world)
      await holdForNext(page, TEMPLATES)
      await page.goto('/templates')
      await page.getByRole('status').filter({ hasText: 'Loading your templates' }).waitFor()
    },
  },
  {
    name: 'templates, full',
    goesOn: true,
    async show({ page }) {
      letThrough(page)
      await card(page, 'Welcome').waitFor()
    },
  },
  {
    name: 'templates, delete asks',
    goesOn: true,
    async show({ page }) {
      await button(page, 'Delete Newsletter').click()
      await deleteQuestion(page).waitFor()
    },
  },
  {
    name: 'templates, deleted',
    goesOn: true,
    toast: 'Template Deleted',
    show: ({ page }) => deleteQuestion(page).getByRole('button', { name: 'Delete' }).click(),
  },
  {
    name: 'templates that could not be loaded',
    async show({ page, site, expectRefusal }) {
      expectRefusal(TEMPLATES)
      await aWriter(page, site)
      await answerWith(page, TEMPLATES, 503, 'The database cannot be reached')
      await page.goto('/templates')
      await button(page, 'Try again').waitFor()
    },
  },
  {
    name: 'templates',
    goesOn: true,
    async show({ page }) {
      await tryAgain(page, TEMPLATES)
      await newsletterStarter(page).waitFor()
    },
  },
  {
    name: 'templates, a new one from a starter',
    goesOn: true,
    async show({ page }) {
      await newsletterStarter(page).click()
      await newTemplate(page).waitFor()
    },
  },
  {
    name: 'templates, name and subject required',
    goesOn: true,
    toast: 'Template Name Required',
    async show({ page }) {
      await closeOpen(page)
      await button(page, 'Create Template').click()
      await newTemplate(page).waitFor()
      await button(page, 'Save Template').click()
    },
  },
  {
    name: 'templates, failed to save',
    goesOn: true,
    toast: 'Failed to Save',
    async show({ page, expectRefusal }) {
      expectRefusal(TEMPLATES)
      await fillTemplate(page, { ...WELCOME, subject: 'A line\u2028and another' })
      await button(page, 'Save Template').click()
    },
  },
  {
    name: 'templates, discard what was written',
    goesOn: true,
    async show({ page }) {
      await fillTemplate(page, WELCOME)
      await field(page, 'Subject').press('Escape')
      await button(page, 'Keep writing').waitFor()
    },
  },
]

const deleteQuestion = (page: Page): Locator => page.getByRole('group', { name: 'Delete Newsletter?' })
const newsletterStarter = (page: Page): Locator => page.getByRole('button', { name: /^Newsletter/ })
const newTemplate = (page: Page): Locator => page.getByRole('dialog', { name: 'Create Template' })

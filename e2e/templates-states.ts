import type { State, World } from './state.ts'
import { answerWith, button, field, holdBack } from './steps.ts'
import {
  aWriter,
  card,
  deleteByHand,
  fillTemplate,
  pretendUse,
  TEMPLATES,
  WELCOME,
} from './templates-steps.ts'

const SIX = [
  { name: 'A name that is much longer than what fits on one line of a card in any grid', body: '' },
  { name: 'Autumn', subject: 'x'.repeat(200), body: 'y'.repeat(600) },
  { name: 'Invoice reminder', subject: 'Invoice 4711 is still open' },
  { name: 'Event invitation', subject: 'You are invited', body: 'One line.' },
  { name: 'Newsletter', subject: 'News in November', body: 'Here is what happened since the last letter.' },
  { name: 'Welcome' },
]

async function visitFull({ page, site }: World): Promise<void> {
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
  await page.goto('/templates')
  await card(page, 'Welcome').waitFor()
}

async function openEmpty({ page, site }: World): Promise<void> {
  await aWriter(page, site)
  await page.goto('/templates')
  await button(page, 'Create Template').click()
  await page.getByRole('dialog', { name: 'Create Template' }).waitFor()
}

export const TEMPLATES_STATES: State[] = [
  { name: 'templates, full', show: visitFull },
  {
    name: 'templates loading',
    async show({ page, site }) {
      await aWriter(page, site)
      await holdBack(page, TEMPLATES)
      await page.goto('/templates')
      await page.getByRole('status').filter({ hasText: 'Loading your templates' }).waitFor()
    },
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
    name: 'templates, a new one from a starter',
    async show({ page, site }) {
      await aWriter(page, site)
      await page.goto('/templates')
      await page.getByRole('button', { name: /^Newsletter/ }).click()
      await page.getByRole('dialog', { name: 'Create Template' }).waitFor()
    },
  },
  {
    name: 'templates, name and subject required',
    toast: 'Template Name Required',
    async show(world) {
      await openEmpty(world)
      await button(world.page, 'Save Template').click()
    },
  },
  {
    name: 'templates, discard what was written',
    async show(world) {
      await openEmpty(world)
      await fillTemplate(world.page, WELCOME)
      await field(world.page, 'Subject').press('Escape')
      await button(world.page, 'Keep writing').waitFor()
    },
  },
  {
    name: 'templates, delete asks',
    async show(world) {
      await visitFull(world)
      await button(world.page, 'Delete Newsletter').click()
      await world.page.getByRole('group', { name: 'Delete Newsletter?' }).waitFor()
    },
  },
  {
    name: 'templates, deleted',
    toast: 'Template Deleted',
    async show(world) {
      await visitFull(world)
      await deleteByHand(world.page, 'Newsletter')
    },
  },
  {
    name: 'templates, failed to save',
    toast: 'Failed to Save',
    async show(world) {
      world.expectRefusal(TEMPLATES)
      await openEmpty(world)
      await fillTemplate(world.page, { ...WELCOME, subject: 'A line\u2028and another' })
      await button(world.page, 'Save Template').click()
    },
  },
]

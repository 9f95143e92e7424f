import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { inOneDay } from '../server/test/one-day.ts'
import { eventually, journey as it, PHONE } from './harness.ts'
import { answerWith, button, field, heading, holdBack, isFocused, pathOf, screen, tryAgain } from './steps.ts'
import {
  aWriter,
  card,
  cardNames,
  fillTemplate,
  focused,
  kept,
  pretendUse,
  TEMPLATES,
  usageOf,
  WELCOME,
} from './templates-steps.ts'
import { nextFrames } from './time.ts'
import { expectToast } from './toasts.ts'

const NEVER = ['Never used', 'Used 0 times']

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'No Templates Yet' }).waitFor()
  await button(page, 'Create Template').click()
  await page.getByRole('dialog', { name: 'Create Template' }).waitFor()
}

describe('the Templates screen', () => {
  it('is empty at first, with one thing to do', async ({ page, site }) => {
    await aWriter(page, site)
    await page.goto('/templates')
    await heading(page, 'Email Templates').waitFor()
    await page.getByRole('heading', { name: 'No Templates Yet' }).waitFor()
    await page.getByText('Create your first email template to save time on recurring messages').waitFor()
    expect(await button(page, 'Create Template').count()).toBe(1)
  })

  it('offers texts to begin with, and keeps none before it is saved', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const { client } = await aWriter(page, site)
    await page.goto('/templates')
    for (const name of ['Welcome', 'Newsletter', 'Invoice reminder'])
      await page.getByRole('button', { name: new RegExp(`^${name}`) }).waitFor()
    await page.getByRole('button', { name: /^Invoice reminder/ }).click()
    expect(await field(page, 'Template Name').inputValue()).toBe('Invoice reminder')
    expect(await field(page, 'Message').inputValue()).toContain('please transfer the amount')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await kept(client)).toEqual([])
    await page.getByRole('button', { name: /^Newsletter/ }).click()
    await button(page, 'Save Template').click()
    await expectToast(page, 'Template Saved', 'Email template has been saved successfully.')
    await eventually(() => cardNames(page)).toEqual(['Newsletter'])
    await eventually(() => isFocused(page, screen(page))).toBe(true)
  })

  it('shows what each template holds and when it was used last', async ({ page, site }) => {
    await inOneDay()
    const uses = [
      ['Today', 0, 1],
      ['Yesterday', 1, 2],
      ['6 days ago', 6, 3],
      ['2 weeks ago', 14, 4],
      ['4 weeks ago', 29, 5],
      ['2 months ago', 60, 1204],
    ] as const
    const { templates } = await aWriter(
      page,
      site,
      uses.map(([name]) => ({ name })),
    )
    for (const [index, [, daysAgo, times]] of uses.entries()) {
      const template = templates[index]
      if (template) await pretendUse(site, template, times, daysAgo)
    }
    await page.goto('/templates')
    await card(page, 'Today').getByText(WELCOME.subject, { exact: true }).waitFor()
    for (const [name, , times] of uses)
      expect(await usageOf(page, name)).toEqual([name, `Used ${times.toLocaleString('en-US')} times`])
    const preview = card(page, 'Today').getByText('it is good to have you with us')
    const { height, lineHeight } = await preview.evaluate((element) => ({
      height: element.getBoundingClientRect().height,
      lineHeight: Number.parseFloat(getComputedStyle(element).lineHeight),
    }))
    expect(height / lineHeight).toBe(2)
  })

  it('loads a template into the composer', async ({ page, site }) => {
    const { templates } = await aWriter(page, site, [{ name: 'First' }, { name: 'Second' }])
    await page.goto('/templates')
    await card(page, 'First').getByRole('button', { name: 'Use Template' }).click()
    await expectToast(page, 'Template Loaded', 'First has been loaded into the composer.')
    expect(pathOf(page)).toBe(`/compose/${templates[0]?.id}`)
  })

  for (const width of [1280, PHONE.width])
    it(`stands still at ${width} px when the templates arrive`, {
      tags: width === 1280 ? [] : 'thorough',
    }, async ({ page, site }) => {
      await page.setViewportSize({ width, height: 900 })
      await aWriter(page, site, [{ name: 'One' }, { name: 'Two', body: '' }, { name: 'Three' }])
      const letThrough = await holdBack(page, TEMPLATES)
      await page.goto('/templates')
      await page.getByRole('status').filter({ hasText: 'Loading your templates' }).waitFor()
      const boxes = () =>
        page.locator('main h1, main ul > li').evaluateAll((elements) =>
          elements.map((element) => {
            const { left, top, width, height } = element.getBoundingClientRect()
            return [left, top, width, height].map(Math.round)
          }),
        )
      const before = await boxes()
      expect(before.length).toBe(4)
      await letThrough()
      await card(page, 'Three').waitFor()
      expect(await boxes()).toEqual(before)
    })

  it('says when it could not be loaded, and tries again', async ({ page, site, expectRefusal }) => {
    expectRefusal(TEMPLATES)
    await aWriter(page, site, [{}])
    await answerWith(page, TEMPLATES, 503, 'The database cannot be reached')
    await page.goto('/templates')
    await page.getByRole('alert').getByText('503: The database cannot be reached').waitFor()
    await tryAgain(page, TEMPLATES)
    await card(page, 'Welcome').waitFor()
  })
})

describe('a new template', () => {
  it('is made by keyboard alone, and stands before the others', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const { client } = await aWriter(page, site, [{ name: 'Older' }])
    await page.goto('/templates')
    await card(page, 'Older').waitFor()
    await button(page, 'Create Template').focus()
    await page.keyboard.press('Enter')
    await eventually(() => field(page, 'Template Name').and(focused(page)).count()).toBe(1)
    await page.keyboard.type(WELCOME.name)
    await page.keyboard.press('Tab')
    await page.keyboard.type(WELCOME.subject)
    await page.keyboard.press('Tab')
    await page.keyboard.type('Hello')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expectToast(page, 'Template Saved', 'Email template has been saved successfully.')
    await eventually(() => cardNames(page)).toEqual(['Welcome', 'Older'])
    expect(await usageOf(page, 'Welcome')).toEqual(NEVER)
    await eventually(() => button(page, 'Create Template').and(focused(page)).count()).toBe(1)
    expect((await kept(client))[0]).toMatchObject({ ...WELCOME, body: 'Hello' })
  })

  it('needs a name and a subject, and says so where they are missing', async ({ page, site }) => {
    const { client } = await aWriter(page, site)
    await page.goto('/templates')
    await openDialog(page)
    await button(page, 'Save Template').click()
    await expectToast(page, 'Template Name Required', 'Please enter a name for your template')
    expect(await field(page, 'Template Name').and(focused(page)).count()).toBe(1)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Please enter a name for your template').waitFor()
    await dialog.getByText('Please enter a subject').waitFor()
    await page.keyboard.type('Named')
    await dialog.getByText('Please enter a name for your template').waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await eventually(() => field(page, 'Subject').and(focused(page)).count()).toBe(1)
    expect(await field(page, 'Subject').getAttribute('aria-invalid')).toBe('true')
    expect(await kept(client)).toEqual([])
    await page.keyboard.type('Hello')
    await page.keyboard.press('Enter')
    await expectToast(page, 'Template Saved')
    expect(await kept(client)).toMatchObject([{ name: 'Named', subject: 'Hello', body: '' }])
  })

  it('is not lost when it cannot be saved', async ({ page, site, expectRefusal }) => {
    expectRefusal(TEMPLATES)
    await aWriter(page, site)
    await page.goto('/templates')
    await openDialog(page)
    await answerWith(page, TEMPLATES, 503, 'The database cannot be reached')
    await fillTemplate(page, WELCOME)
    await button(page, 'Save Template').click()
    await expectToast(
      page,
      'Failed to Save',
      'There was an error saving your template',
      '503: The database cannot be reached',
    )
    expect(await field(page, 'Message').inputValue()).toBe(WELCOME.body)
    await page.unroute(`**${TEMPLATES}`)
    await button(page, 'Save Template').click()
    await expectToast(page, 'Template Saved')
    await eventually(() => cardNames(page)).toEqual(['Welcome'])
  })

  it('says Saving... while it is saved', { tags: 'thorough' }, async ({ page, site }) => {
    await aWriter(page, site)
    await page.goto('/templates')
    await openDialog(page)
    await fillTemplate(page, WELCOME)
    const letThrough = await holdBack(page, TEMPLATES)
    await button(page, 'Save Template').click()
    expect(await button(page, 'Saving...').isDisabled()).toBe(true)
    await letThrough()
    expect((await expectToast(page, 'Template Saved')).length).toBe(2)
  })

  it('takes no words that would be lost while it is saved, and asks about none', async ({ page, site }) => {
    const { client } = await aWriter(page, site)
    await page.goto('/templates')
    await openDialog(page)
    await fillTemplate(page, WELCOME)
    const letThrough = await holdBack(page, TEMPLATES)
    await button(page, 'Save Template').click()
    await button(page, 'Saving...').waitFor()
    await field(page, 'Message').pressSequentially('Typed too late')
    expect(await field(page, 'Message').inputValue()).toBe(WELCOME.body)
    await page.keyboard.press('Escape')
    await nextFrames(page)
    expect(await page.getByText('Discard what you have written?').count()).toBe(0)
    await letThrough()
    await expectToast(page, 'Template Saved')
    expect((await kept(client)).map(({ body }) => body)).toEqual([WELCOME.body])
  })

  it('is discarded only after a question, once something was written', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    await aWriter(page, site)
    await page.goto('/templates')
    await openDialog(page)
    await field(page, 'Message').fill('Not yet finished')
    await page.keyboard.press('Escape')
    await page.getByRole('alert').filter({ hasText: 'Discard what you have written?' }).waitFor()
    await page.keyboard.press('Enter')
    await button(page, 'Save Template').waitFor()
    expect(await field(page, 'Message').and(focused(page)).count()).toBe(1)
    expect(await field(page, 'Message').inputValue()).toBe('Not yet finished')
    await button(page, 'Cancel').click()
    await button(page, 'Discard').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await button(page, 'Create Template').click()
    expect(await field(page, 'Message').inputValue()).toBe('')
  })
})

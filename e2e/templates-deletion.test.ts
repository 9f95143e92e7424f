import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { eventually, journey as it } from './harness.ts'
import type { Site } from './site.ts'
import { ASKED_ANYTIME, answerWith, button, field, heading, holdBack, pathOf } from './steps.ts'
import {
  aWriter,
  card,
  cardNames,
  deleteByHand,
  focused,
  kept,
  pretendUse,
  TEMPLATES,
  WELCOME,
} from './templates-steps.ts'
import { nextFrames } from './time.ts'
import { expectToast, keepToasts, toast } from './toasts.ts'

const THREE = [{ name: 'One' }, { name: 'Two' }, { name: 'Three' }]
const names = async (client: Parameters<typeof kept>[0]) => (await kept(client)).map(({ name }) => name)

const expectDeleted = (page: Page): Promise<unknown> =>
  expectToast(page, 'Template Deleted', 'Template has been removed successfully.')

/** Somebody who has as much time as they need to undo a deletion. */
async function aHesitantWriter(page: Page, site: Site) {
  await keepToasts(page)
  return aWriter(page, site, THREE)
}

describe('deleting a template', () => {
  it('asks first; Keep and Escape leave everything as it was', async ({ page, site }) => {
    const { client } = await aWriter(page, site, THREE)
    await page.goto('/templates')
    const question = page.getByRole('group', { name: 'Delete Two?' })
    for (const key of ['Enter', 'Escape']) {
      await button(page, 'Delete Two').focus()
      await page.keyboard.press('Enter')
      await question.waitFor()
      expect(await question.getByRole('button', { name: 'Keep' }).and(focused(page)).count()).toBe(1)
      await page.keyboard.press(key)
      await question.waitFor({ state: 'detached' })
      expect(await button(page, 'Delete Two').and(focused(page)).count()).toBe(1)
    }
    // The second click of a double one falls on the answer, and is none.
    await button(page, 'Delete Two').dblclick()
    await question.getByText('Delete “Two”?').waitFor()
    expect(await cardNames(page)).toEqual(['Three', 'Two', 'One'])
    expect(await names(client)).toEqual(['Three', 'Two', 'One'])
  })

  it('can be undone, and nothing about the template has changed', async ({ page, site }) => {
    const { client, templates } = await aHesitantWriter(page, site)
    const two = templates[1]
    if (two) await pretendUse(site, two, 7, 3)
    const before = await kept(client)
    await page.goto('/templates')
    await deleteByHand(page, 'Two')
    await expectDeleted(page)
    expect(await cardNames(page)).toEqual(['Three', 'One'])
    await toast(page).getByRole('button', { name: 'Undo' }).click()
    await eventually(() => cardNames(page)).toEqual(['Three', 'Two', 'One'])
    await card(page, 'Two').getByText('Used 7 times').waitFor()
    await page.reload()
    await eventually(() => cardNames(page)).toEqual(['Three', 'Two', 'One'])
    expect(await kept(client)).toEqual(before)
  })

  it('can be undone from another screen, and by keyboard', { tags: 'thorough' }, async ({ page, site }) => {
    const { client } = await aHesitantWriter(page, site)
    await page.goto('/templates')
    await deleteByHand(page, 'Two')
    await expectDeleted(page)
    await page.getByTestId('link-settings').click()
    await eventually(() => pathOf(page)).toBe('/settings')
    await page.keyboard.press('F8')
    const undo = toast(page).getByRole('button', { name: 'Undo' })
    for (let stops = 0; stops < 4 && (await undo.and(focused(page)).count()) === 0; stops++)
      await page.keyboard.press('Tab')
    expect(await undo.and(focused(page)).count()).toBe(1)
    await page.keyboard.press('Enter')
    await toast(page).waitFor({ state: 'detached' })
    await page.getByTestId('link-templates').click()
    await eventually(() => cardNames(page)).toEqual(['Three', 'Two', 'One'])
    expect(await names(client)).toEqual(['Three', 'Two', 'One'])
  })

  it('is done once the toast is gone', async ({ page, site }) => {
    const { client } = await aHesitantWriter(page, site)
    await page.goto('/templates')
    await deleteByHand(page, 'Two')
    await expectDeleted(page)
    expect(await names(client)).toEqual(['Three', 'Two', 'One'])
    await toast(page).getByRole('button', { name: 'Dismiss' }).click()
    await eventually(() => names(client)).toEqual(['Three', 'One'])
    expect(await cardNames(page)).toEqual(['Three', 'One'])
  })

  it('is done when the page is reloaded or left in time', { tags: 'thorough' }, async ({ page, site }) => {
    const { client } = await aHesitantWriter(page, site)
    await page.goto('/templates')
    await deleteByHand(page, 'Two')
    await expectDeleted(page)
    await page.reload()
    // The page that is left and the one that comes ask at the same time.
    await eventually(() => names(client)).toEqual(['Three', 'One'])
    await page.reload()
    await eventually(() => cardNames(page)).toEqual(['Three', 'One'])
    await deleteByHand(page, 'One')
    await expectDeleted(page)
    await page.goto('about:blank')
    await eventually(() => names(client)).toEqual(['Three'])
  })

  it('is done before the session ends', { tags: 'thorough' }, async ({ page, site, allowRefusal }) => {
    ASKED_ANYTIME.forEach(allowRefusal)
    // The list is read again after the deletion, which the end of the session may overtake.
    allowRefusal(TEMPLATES)
    const { client } = await aHesitantWriter(page, site)
    await page.goto('/templates')
    await deleteByHand(page, 'Two')
    await expectDeleted(page)
    await button(page, 'Log out').click()
    // The words of the toast stay half a second, which a busy machine can miss.
    await heading(page, 'Sign in to Postrider').waitFor()
    expect(await names(client)).toEqual(['Three', 'One'])
  })

  it('of a second one ends the time to undo the first', { tags: 'thorough' }, async ({ page, site }) => {
    const { client } = await aHesitantWriter(page, site)
    await page.goto('/templates')
    await deleteByHand(page, 'Two')
    await expectDeleted(page)
    await deleteByHand(page, 'One')
    await eventually(() => names(client)).toEqual(['Three', 'One'])
    await expectDeleted(page)
    await toast(page).getByRole('button', { name: 'Undo' }).click()
    await eventually(() => cardNames(page)).toEqual(['Three', 'One'])
  })

  it('by keyboard goes on from the next card, and from the screen after the last', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    await aWriter(page, site, [{ name: 'One' }, { name: 'Two' }])
    await page.goto('/templates')
    await deleteByHand(page, 'Two')
    await eventually(() =>
      card(page, 'One').getByRole('button', { name: 'Use Template' }).and(focused(page)).count(),
    ).toBe(1)
    await deleteByHand(page, 'One')
    await page.getByRole('heading', { name: 'No Templates Yet' }).waitFor()
    expect(await page.getByRole('main').and(focused(page)).count()).toBe(1)
  })

  it('that fails says so, and the template is back', async ({ page, site, expectRefusal }) => {
    const { templates } = await aHesitantWriter(page, site)
    const path = `${TEMPLATES}/${templates[1]?.id}`
    expectRefusal(path)
    await page.goto('/templates')
    await answerWith(page, path, 503, 'The database cannot be reached')
    await deleteByHand(page, 'Two')
    await expectDeleted(page)
    await toast(page).getByRole('button', { name: 'Dismiss' }).click()
    await expectToast(
      page,
      'Failed to Delete',
      'There was an error deleting the template',
      '503: The database cannot be reached',
    )
    await eventually(() => cardNames(page)).toEqual(['Three', 'Two', 'One'])
  })

  it('takes nothing from another that is just being loaded', { tags: 'thorough' }, async ({ page, site }) => {
    const { templates } = await aHesitantWriter(page, site)
    await page.goto('/templates')
    const letThrough = await holdBack(page, `${TEMPLATES}/${templates[2]?.id}`)
    await deleteByHand(page, 'Two')
    await expectDeleted(page)
    const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE')
    const asked = page.waitForRequest((request) => request.url().endsWith(templates[2]?.id ?? ''))
    // Its toast takes the place of the one before, with which the time to undo ends.
    await card(page, 'Three').getByRole('button', { name: 'Use Template' }).click()
    await Promise.all([deleted, asked])
    await nextFrames(page)
    await letThrough()
    await eventually(() => field(page, 'Subject').inputValue()).toBe(WELCOME.subject)
  })

  it('of one that is gone already is as good as done', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    const { client, templates } = await aHesitantWriter(page, site)
    const path = `${TEMPLATES}/${templates[1]?.id}`
    expectRefusal(path)
    await page.goto('/templates')
    await card(page, 'Two').waitFor()
    await client.send({ method: 'DELETE', path, headers: { origin: site.origin } })
    await deleteByHand(page, 'Two')
    await expectDeleted(page)
    const refused = page.waitForResponse((response) => response.status() === 404)
    await toast(page).getByRole('button', { name: 'Dismiss' }).click()
    await refused
    await toast(page).waitFor({ state: 'detached' })
    expect(await cardNames(page)).toEqual(['Three', 'One'])
  })
  it('without a connection says that it failed, not that it is done', { tags: 'thorough' }, async ({
    page,
    site,
    allowAbsence,
  }) => {
    allowAbsence()
    const { client } = await aHesitantWriter(page, site)
    await page.goto('/templates')
    await card(page, 'Two').waitFor()
    await page.context().setOffline(true)
    await deleteByHand(page, 'Two')
    await expectToast(page, 'Failed to Delete', 'There was an error deleting the template')
    expect(await cardNames(page)).toEqual(['Three', 'Two', 'One'])
    await page.context().setOffline(false)
    expect(await names(client)).toEqual(['Three', 'Two', 'One'])
  })
})

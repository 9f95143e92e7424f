import { describe, expect } from 'vitest'
import { axe } from './axe.ts'
import { holdForNext, letThrough } from './going-on.ts'
import { eventually, journey as it, screenshot } from './harness.ts'
import { answerWith, button, heading, holdBackAnswer, link } from './steps.ts'
import { ALL, addresses, EACH, listOf, SUPPRESSIONS, withSuppressed } from './suppressions-steps.ts'
import { nextFrames } from './time.ts'
import { expectToast } from './toasts.ts'

describe('removing an address', () => {
  const WARNINGS = [
    ['gone@example.test', 'Mail to it will probably come back again'],
    ['full@example.test', 'The last mails to this address all came back'],
    ['angry@example.test', 'They asked not to be mailed: they reported'],
    ['tired@example.test', 'They asked not to be mailed: they have unsubscribed'],
    ['rival@other.test', 'Your next emails will reach this address again'],
  ] as const

  it('asks first, with a warning of its own for each reason', async ({ page, site }) => {
    const member = await withSuppressed(page, site, EACH)
    for (const [address, warning] of WARNINGS) {
      await button(page, `Remove ${address}`).click()
      const dialog = page.getByRole('dialog', { name: `Remove ${address} from the list?` })
      await dialog.getByText(warning).waitFor()
      await dialog.getByRole('button', { name: 'Keep on the list' }).click()
      await dialog.waitFor({ state: 'hidden' })
    }
    expect(await listOf(member)).toEqual(ALL)
  })

  it('takes it off, and the keyboard stays in the list', async ({ page, site }) => {
    const member = await withSuppressed(page, site, EACH)
    await button(page, 'Remove full@example.test').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await expectToast(page, 'Address Removed', 'full@example.test gets your emails again.')
    const left = ALL.filter((address) => address !== 'full@example.test')
    await eventually(() => addresses(page)).toEqual(left)
    await eventually(() => listOf(member)).toEqual(left)
    await eventually(() =>
      button(page, 'Remove angry@example.test').and(page.locator(':focus')).count(),
    ).toBe(1)
  })

  it('is for good, although the list was just being read', { tags: 'thorough' }, async ({ page, site }) => {
    await withSuppressed(page, site, EACH)
    await eventually(() => addresses(page)).toEqual(ALL)
    await link(page, 'History').click()
    const list = await holdBackAnswer(page, `${SUPPRESSIONS}?*`)
    await link(page, 'Suppression List').click()
    await list.isThere
    await button(page, 'Remove full@example.test').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await expectToast(page, 'Address Removed')
    const read = page.waitForResponse((response) => response.url().includes(`${SUPPRESSIONS}?`))
    list.letThrough()
    await (await read).finished()
    await nextFrames(page)
    expect(await addresses(page)).toEqual(ALL.filter((address) => address !== 'full@example.test'))
  })

  it('whose reason has changed since the list was read removes nobody, and says so', {
    tags: 'thorough',
  }, async ({ page, site, expectRefusal }) => {
    expectRefusal(`${SUPPRESSIONS}/remove`)
    const member = await withSuppressed(page, site, EACH)
    await button(page, 'Remove rival@other.test').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Added by hand').waitFor()
    await site.db
      .updateTable('suppressions')
      .set({ reason: 'u', created_at: new Date() })
      .where('user_id', '=', member.userId)
      .where('address', '=', 'rival@other.test')
      .execute()
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await dialog
      .getByText(
        '409: The reason has changed since you opened this list: rival@other.test has unsubscribed. Nothing was removed',
      )
      .waitFor()
    expect(await dialog.getByText('Added by hand').count()).toBe(0)
    expect(await dialog.getByRole('button', { name: 'Remove', exact: true }).count()).toBe(0)
    expect((await axe(page)).join('\n')).toBe('')
    await screenshot(page, 'suppressions reason changed')
    await dialog.getByRole('button', { name: 'Keep on the list' }).click()
    const newest = ['rival@other.test', ...ALL.filter((address) => address !== 'rival@other.test')]
    await eventually(() => addresses(page)).toEqual(newest)
    expect(await listOf(member)).toEqual(newest)
    // Asked again, it is about the reason that is true now.
    await button(page, 'Remove rival@other.test').click()
    await dialog.getByText('They asked not to be mailed: they have unsubscribed').waitFor()
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await expectToast(page, 'Address Removed', 'rival@other.test gets your emails again.')
    expect(await listOf(member)).not.toContain('rival@other.test')
  })

  it('that fails says why, and changes nothing', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(`${SUPPRESSIONS}/remove`)
    await answerWith(page, `${SUPPRESSIONS}/remove`, 503, 'The database cannot be reached')
    await withSuppressed(page, site, EACH)
    await button(page, 'Remove gone@example.test').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').getByText('503: The database cannot be reached').waitFor()
    await page.keyboard.press('Escape')
    await eventually(() => addresses(page)).toEqual(ALL)
  })

  it('that fails after its screen was left is told of', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(`${SUPPRESSIONS}/remove`)
    await withSuppressed(page, site, EACH, '/settings')
    await link(page, 'Suppression List').click()
    await answerWith(page, `${SUPPRESSIONS}/remove`, 503, 'The database cannot be reached')
    await holdForNext(page, `${SUPPRESSIONS}/remove`)
    await button(page, 'Remove gone@example.test').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await button(page, 'Removing...').waitFor()
    await page.goBack()
    await heading(page, 'Settings').waitFor()
    letThrough(page)
    await expectToast(page, 'Failed to Remove', '503: The database cannot be reached')
  })
})

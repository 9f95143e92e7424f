import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { eventually, journey as it, PHONE } from './harness.ts'
import {
  aReader,
  folder,
  LIST,
  placeOf,
  replyArea,
  row,
  rows,
  searchBox,
  subject,
  withMails,
} from './inbox-steps.ts'
import { button, holdBack, isFocused, pathOf } from './steps.ts'
import { nextFrames } from './time.ts'
import { remembered } from './toast-memory.ts'
import { expectToast, keepToasts } from './toasts.ts'

const THREE = ['One', 'Two', 'Three'].map((name, index) => ({ subject: name, minutesAgo: index + 1 }))

const expectFocus = (page: Page, text: string) =>
  eventually(() => isFocused(page, row(page, text))).toBe(true)

describe('by keyboard', () => {
  it('Escape leads to the list and no further, however quickly it is pressed again', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    await withMails(page, site, THREE)
    await page.getByTestId('link-dashboard').click()
    await page.getByTestId('link-inbox').click()
    await row(page, 'One').click()
    await subject(page, 'One').waitFor()
    await page.evaluate(() => {
      for (const _ of [1, 2])
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    })
    await page.getByText('Select a message', { exact: true }).waitFor()
    await nextFrames(page)
    expect(pathOf(page)).toBe('/inbox')
  })

  it('one moves, opens, answers, and goes back', async ({ page, site }) => {
    await withMails(page, site, THREE)
    await page.keyboard.press('j')
    await expectFocus(page, 'One')
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowDown')
    await expectFocus(page, 'Three')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await expectFocus(page, 'Two')
    await page.keyboard.press('Enter')
    await subject(page, 'Two').waitFor()
    // A screen reader goes on at the message, and the keys go on from its row.
    await eventually(() => isFocused(page, subject(page, 'Two'))).toBe(true)
    await page.keyboard.press('j')
    await expectFocus(page, 'Three')
    await page.keyboard.press('Escape')
    await page.getByText('Select a message', { exact: true }).waitFor()
    await page.keyboard.press('r')
    await eventually(() => isFocused(page, replyArea(page))).toBe(true)
    await subject(page, 'Three').waitFor()
    await page.keyboard.type('jerk #')
    expect(await replyArea(page).inputValue()).toBe('jerk #')
    // Until the answer to that search is there, the rows are those of before.
    await holdBack(page, `${LIST}?*q=e*`)
    await searchBox(page).focus()
    await page.keyboard.type('e')
    expect(await rows(page).count()).toBe(3)
    expect(await page.getByText('Message Archived').count()).toBe(0)
  })

  it('one who leaves a message before it can be answered reads it later like any other', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    await withMails(page, site, THREE)
    const letThrough = await holdBack(page, '/api/inbox/message/**')
    await page.keyboard.press('j')
    await page.keyboard.press('r')
    await subject(page, 'One').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Select a message', { exact: true }).waitFor()
    await letThrough()
    await row(page, 'One').click()
    await replyArea(page).waitFor()
    await nextFrames(page)
    expect(await isFocused(page, subject(page, 'One'))).toBe(true)
  })

  it('one archives and brings back, and the next row has the focus', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    await keepToasts(page)
    const { ids } = await withMails(page, site, THREE)
    const folderOf = async (index: number) => {
      const query = site.db
        .selectFrom('inbox_messages')
        .select('folder')
        .where('id', '=', ids[index] ?? '')
      return (await query.executeTakeFirstOrThrow()).folder
    }
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await expectToast(page, 'Message Archived', '“One” from Ann Keller')
    await expectFocus(page, 'Two')
    await eventually(() => folderOf(0)).toBe('a')
    await button(page, 'Undo').click()
    await row(page, 'One').waitFor()
    await eventually(() => folderOf(0)).toBe('i')
    await row(page, 'Two').click()
    await page.keyboard.press('e')
    await page.getByText('Select a message', { exact: true }).waitFor()
    await expectFocus(page, 'Three')
    await folder(page, 'Archived').click()
    await rows(page, 'Archived').first().focus()
    await page.keyboard.press('e')
    await expectToast(page, 'Message Moved Back')
    await page.getByText('Nothing archived').waitFor()
    await eventually(() => folderOf(1)).toBe('i')
  })

  it('one deletes once, however long the key is held', { tags: 'thorough' }, async ({ page, site }) => {
    await keepToasts(page)
    await withMails(page, site, THREE)
    await page.keyboard.press('j')
    await page.keyboard.down('Delete')
    await row(page, 'One').waitFor({ state: 'detached' })
    await expectFocus(page, 'Two')
    // As the keyboard repeats what is held.
    await page.keyboard.down('Delete')
    await page.keyboard.up('Delete')
    await page.keyboard.press('j')
    await expectFocus(page, 'Three')
    await row(page, 'Two').waitFor()
  })

  it('one that deletes says that it failed where there is no connection, not that it is done', async ({
    page,
    site,
    allowAbsence,
  }) => {
    allowAbsence()
    await withMails(page, site, THREE)
    await page.keyboard.press('j')
    await page.context().setOffline(true)
    await page.keyboard.press('Delete')
    await expectToast(
      page,
      'Failed to Delete',
      'Postrider cannot be reached. Check your connection and try again.',
    )
    expect((await remembered(page)).map(([title]) => title)).toEqual(['Failed to Delete'])
    await row(page, 'One').waitFor()
    await page.context().setOffline(false)
  })

  it('one marks as unread, and deletes what can be had back for a while', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    await keepToasts(page)
    const { ids } = await withMails(page, site, THREE)
    const left = async () =>
      (await site.db.selectFrom('inbox_messages').select('id').where('id', 'in', ids).execute()).length
    await page.keyboard.press('j')
    await page.keyboard.press('u')
    await row(page, 'Unread').waitFor()
    await page.keyboard.press('#')
    await expectToast(page, 'Message Deleted', '“One” from Ann Keller')
    await row(page, 'One').waitFor({ state: 'detached' })
    await expectFocus(page, 'Two')
    expect(await left()).toBe(3)
    await button(page, 'Undo').click()
    await row(page, 'One').waitFor()
    await row(page, 'Two').focus()
    await page.keyboard.press('Delete')
    await expectToast(page, 'Message Deleted', '“Two” from Ann Keller')
    await button(page, 'Dismiss').click()
    await eventually(left).toBe(2)
    await row(page, 'Three').focus()
    await page.keyboard.press('#')
    await row(page, 'Three').waitFor({ state: 'detached' })
    // Leaving the page ends the time to think.
    await page.reload()
    await eventually(left).toBe(1)
  })

  it('all of it is listed under ?', { tags: 'thorough' }, async ({ page, site }) => {
    await withMails(page, site, THREE)
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const keys = dialog.getByRole('region', { name: 'In the inbox' }).locator('kbd')
    await eventually(() => keys.allInnerTexts()).toEqual(['J', 'K', 'Enter', 'Esc', 'R', 'E', 'U', '#'])
    await page.keyboard.press('e')
    expect(await page.getByText('Message Archived').count()).toBe(0)
  })
})

describe('on a phone', () => {
  it('the list makes way for the message, and there are two ways back', async ({ page, site }) => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      subject: `Letter ${index}.`,
      minutesAgo: index,
    }))
    await page.setViewportSize(PHONE)
    await withMails(page, site, many)
    await row(page, 'Letter 25.').scrollIntoViewIfNeeded()
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(1_000)
    await row(page, 'Letter 25.').click()
    await subject(page, 'Letter 25.').waitFor()
    expect(await row(page, 'Letter 25.').isVisible()).toBe(false)
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await button(page, 'All messages').click()
    await row(page, 'Letter 25.').waitFor()
    // Rows get their real height when they are first in sight, so that the row tells, and not how far the page is down.
    await eventually(() => isInSight(row(page, 'Letter 25.'))).toBe(true)
    await row(page, 'Letter 25.').click()
    await page.keyboard.press('j')
    await subject(page, 'Letter 26.').waitFor()
    await page.goBack()
    await row(page, 'Letter 26.').waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  it('the list behind an open message loads nothing, and goes on where it is seen again', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    const many = Array.from({ length: 60 }, (_, index) => ({
      subject: `Letter ${index}.`,
      text: 'A line\n'.repeat(200),
      minutesAgo: index,
    }))
    await page.setViewportSize(PHONE)
    const reader = await aReader(page, site, many)
    const further: URL[] = []
    await page.route(`**${LIST}*`, (route) => {
      const url = new URL(route.request().url())
      // A first page whose end is in sight wherever the list is; it may be read again.
      if (url.searchParams.has('cursor')) further.push(url)
      else url.searchParams.set('limit', '3')
      return route.continue({ url: url.href })
    })
    await page.goto(placeOf(reader))
    await subject(page, 'Letter 0.').waitFor()
    await eventually(() => page.locator('[data-message]').count()).toBe(3)
    await page.mouse.wheel(0, 500)
    await eventually(async () => (await page.evaluate(() => window.scrollY)) > 0).toBe(true)
    await nextFrames(page)
    expect(further).toEqual([])
    await button(page, 'All messages').click()
    await eventually(() => rows(page).count()).toBe(53)
  })
})

const isInSight = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= window.innerHeight
  })

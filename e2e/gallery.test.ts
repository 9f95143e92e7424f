import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { axe } from './axe.ts'
import { findOverflow, findSmallTargets } from './fingers.ts'
import { aGallery, type Gallery } from './gallery.ts'
import { closeOpen } from './going-on.ts'
import { eventually, journey as it, PHONE, screenshot } from './harness.ts'
import { LIGHT_DESKTOP, type Look, looksOf, wear } from './looks.ts'
import { button } from './steps.ts'
import { expectToast, keepToasts } from './toasts.ts'

/** What the gallery shows only after a press, and closes again with Escape. */
const OVERLAYS: { name: string; show(page: Page): Promise<void> }[] = [
  {
    name: 'with a dialog',
    async show(page) {
      await button(page, 'Open a dialog').click()
      await page.getByRole('dialog', { name: 'Save as template' }).waitFor()
    },
  },
  {
    name: 'with a sheet',
    async show(page) {
      await button(page, 'From the right').click()
      await page.getByRole('dialog', { name: 'A sheet' }).waitFor()
    },
  },
  {
    name: 'with a menu',
    async show(page) {
      await button(page, 'Open a menu').click()
      await page.getByRole('menuitem', { name: 'Resend Email' }).waitFor()
    },
  },
]

async function expectNothingFound(page: Page, looks: readonly Look[], name: string): Promise<void> {
  for (const look of looks) {
    await wear(page, look)
    const found = await axe(page, look.theme === 'light' ? 'all' : 'colour')
    expect(found.join('\n'), `${name}, ${look.name}`).toBe('')
    await screenshot(page, `${name} ${look.name}`)
  }
}

describe('every part of the design system', () => {
  let gallery: Gallery
  beforeAll(async () => {
    gallery = await aGallery()
  })
  afterAll(() => gallery[Symbol.asyncDispose]())

  it('passes axe in both themes and both widths, fits a phone, and takes a finger of 44 px', {
    tags: 'thorough',
  }, async ({ page }) => {
    await gallery.open(page)
    await expectNothingFound(page, looksOf({}), 'gallery')
    await page.setViewportSize(PHONE)
    expect(await findSmallTargets(page), 'smaller than 44 px').toEqual([])
    expect(await findOverflow(page), 'wider than 390 px').toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await findOverflow(page), 'wider than 320 px').toEqual([])
  })

  it('passes axe in both themes with what opens over it, which gives the focus back to what opened it', {
    tags: 'thorough',
  }, async ({ page }) => {
    await gallery.open(page)
    for (const { name, show } of OVERLAYS) {
      await wear(page, LIGHT_DESKTOP)
      await show(page)
      await expectNothingFound(page, looksOf({ only: 'desktop' }), `gallery ${name}`)
      await closeOpen(page)
    }
    for (const [opener, role] of [
      ['Open a dialog', 'dialog'],
      ['From the left', 'dialog'],
      ['Open a menu', 'menu'],
    ] as const) {
      await button(page, opener).focus()
      await page.keyboard.press('Enter')
      await page.getByRole(role).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole(role).waitFor({ state: 'detached' })
      await eventually(() => page.locator(':focus').allInnerTexts()).toEqual([opener])
    }
  })

  it('passes axe in both themes with a toast', { tags: 'thorough' }, async ({ page }) => {
    // Not the others: what hangs on its window, such as a menu, closes when that goes to the background.
    await keepToasts(page)
    await gallery.open(page)
    await button(page, 'Show a destructive toast').click()
    await expectToast(page, 'Request Failed')
    await expectNothingFound(page, looksOf({ only: 'desktop' }), 'gallery with a toast')
  })
})

import { describe, expect } from 'vitest'
import {
  addRecipients,
  chips,
  draftsButton,
  draftsOf,
  openComposer,
  paste,
  recipientInput,
  storeDraft,
} from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { button } from './steps.ts'
import { nextFrames } from './time.ts'
import { keepToasts } from './toasts.ts'

describe('a key that is held', { tags: 'thorough' }, () => {
  it('presses one button, though the keyboard goes on at another', async ({ page, site }) => {
    await keepToasts(page)
    const writer = await openComposer(page, site)
    for (const subject of ['Third', 'Second', 'First']) await storeDraft(site, writer, { subject })
    await page.reload()
    await draftsButton(page).click()
    await button(page, 'Delete the draft First').focus()
    await page.keyboard.down('Enter')
    const next = button(page, 'Delete the draft Second')
    await eventually(() => next.and(page.locator(':focus')).count()).toBe(1)
    await page.evaluate(() => {
      document.addEventListener('click', () => document.body.setAttribute('data-pressed', ''), true)
    })
    await page.keyboard.down('Enter')
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await nextFrames(page)
    expect(await page.locator('body[data-pressed]').count()).toBe(0)
    expect((await draftsOf(writer)).map(({ subject }) => subject)).toEqual(['Second', 'Third'])
    await page.keyboard.press('Enter')
    await eventually(async () => (await draftsOf(writer)).map(({ subject }) => subject)).toEqual(['Third'])
  })

  it('removes one recipient, of those in sight and of all', async ({ page, site }) => {
    await openComposer(page, site)
    const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.test`)
    await addRecipients(page, ...[a, b, c, d, e].map(String))
    const hold = async (key: string, from: string | undefined, next: string | undefined) => {
      await button(page, `Remove ${from}`).focus()
      await page.keyboard.down(key)
      await eventually(() => button(page, `Remove ${next}`).and(page.locator(':focus')).count()).toBe(1)
      await page.keyboard.down(key)
      await page.keyboard.down(key)
      await page.keyboard.up(key)
      await nextFrames(page)
    }
    await hold('Delete', a, b)
    expect(await chips(page)).toEqual([b, c, d, e])
    await hold('Backspace', e, d)
    expect(await chips(page)).toEqual([b, c, d])
    await hold('Enter', b, c)
    expect(await chips(page)).toEqual([c, d])

    await paste(recipientInput(page), Array.from({ length: 40 }, (_, n) => `${n}@example.test`).join('\n'))
    await page.getByRole('button', { name: /more$/ }).click()
    const panel = page.getByRole('dialog', { name: 'Recipients' })
    await panel.getByText('42 shown').waitFor()
    await hold('Delete', '10@example.test', '11@example.test')
    await panel.getByText('41 shown').waitFor()
    await hold('Enter', '11@example.test', '12@example.test')
    await panel.getByText('40 shown').waitFor()
  })
})

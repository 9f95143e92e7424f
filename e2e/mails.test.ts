import { describe, expect } from 'vitest'
import { axe } from './axe.ts'
import { findOverflow } from './fingers.ts'
import { journey as it, PHONE, screenshot, signedUp } from './harness.ts'

describe('the mails of the product', () => {
  it('pass axe in light and dark, and fit a phone', async ({ page, site }) => {
    const { email } = await signedUp(site)
    await site.client().post('/api/auth/forgot-password', { email })
    await site.mails.latest(email, 2)
    await page.setViewportSize(PHONE)
    for (const { subject, html } of await site.mails.all(email))
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setContent(html)
        expect((await axe(page, 'wcag')).join('\n'), `${subject}, ${colorScheme}`).toBe('')
        expect(await findOverflow(page), subject).toEqual([])
        await screenshot(page, `mail ${subject.replace(/\d+/, 'code')} ${colorScheme}`)
      }
  })
})

import { describe, expect } from 'vitest'
import { aMember, eventually, journey as it } from './harness.ts'
import { fillSender, payloadOf, SENDER, SETTINGS, saveButton } from './settings-steps.ts'
import { field } from './steps.ts'
import { expectToast } from './toasts.ts'

const OPENS = 'Count opens'
const UNSUBSCRIBE = 'Unsubscribe link in single emails'

describe('tracking and unsubscribing', () => {
  it('are switched and saved with the rest; what nobody touched is not sent', async ({ page, site }) => {
    const member = await aMember(site)
    await member.signIn(page.context())
    await page.goto('/settings')
    await fillSender(page)
    expect(await field(page, OPENS).isChecked()).toBe(true)
    expect(await field(page, UNSUBSCRIBE).isChecked()).toBe(false)
    await field(page, OPENS).click()
    expect(await payloadOf(page, SETTINGS, () => saveButton(page).click())).toEqual({
      provider: 'resend',
      ...SENDER,
      trackOpens: false,
    })
    await expectToast(page, 'Settings Saved')
    await page.reload()
    await eventually(() => field(page, OPENS).isChecked()).toBe(false)
    await field(page, UNSUBSCRIBE).click()
    await saveButton(page).click()
    await expectToast(page, 'Settings Saved')
    expect((await (await member.client()).get(SETTINGS)).json()).toMatchObject({
      trackOpens: false,
      alwaysUnsubscribe: true,
    })
  })

  it('says so where the installation counts no opens', { tags: 'thorough' }, async ({ page, site }) => {
    await (await aMember(site)).signIn(page.context())
    await page.route('**/api/instance', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), tracksOpens: false } })
    })
    await page.goto('/settings')
    await page.getByText('This installation does not count opens.').waitFor()
    expect(await field(page, OPENS).isDisabled()).toBe(true)
    expect(await field(page, OPENS).isChecked()).toBe(false)
    expect(await field(page, UNSUBSCRIBE).isEnabled()).toBe(true)
  })
})

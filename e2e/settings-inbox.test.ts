import { describe, expect } from 'vitest'
import { eventually, journey as it, type Member } from './harness.ts'
import { aReader } from './inbox-steps.ts'
import { fillSender, SETTINGS, saveButton } from './settings-steps.ts'
import type { Site } from './site.ts'
import { button, field, heading, holdBack, isFocused } from './steps.ts'
import { expectToast } from './toasts.ts'

const ADDRESS = '/api/inbox/address'
const OWN = 'Your inbox address'

/** As on the phone, while a page is open here; answers the new one. */
async function changeElsewhere(site: Site, member: Member): Promise<string> {
  const answer = await (await member.client()).send({
    method: 'PUT',
    path: ADDRESS,
    payload: JSON.stringify({ name: `phone${Math.floor(Math.random() * 1e6)}` }),
    headers: { origin: site.origin, 'content-type': 'application/json' },
  })
  expect(answer.status, answer.text).toBe(200)
  return (answer.json() as { address: string }).address
}

describe('the inbox address', () => {
  it('is shown to be copied, and becomes the reply-to address when it is saved', async ({
    page,
    context,
    site,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const { member, inbox } = await aReader(page, site)
    await page.goto('/settings')
    await eventually(() => field(page, OWN).inputValue()).toBe(inbox.address)
    await button(page, `Copy ${OWN}`).click()
    await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe(inbox.address)
    await fillSender(page)
    await button(page, 'Use as reply-to').click()
    expect(await field(page, 'Reply-To Email').inputValue()).toBe(inbox.address)
    await page.getByText('It is your reply-to address').waitFor()
    expect(await button(page, 'Use as reply-to').isDisabled()).toBe(true)
    await eventually(() => isFocused(page, button(page, `Copy ${OWN}`))).toBe(true)
    const stored = async () => (await (await member.client()).get(SETTINGS)).json() as { fromEmail: string }
    expect((await stored()).fromEmail).toBe('')
    await saveButton(page).click()
    await expectToast(page, 'Settings Saved')
    expect((await stored()).fromEmail).toBe(inbox.address)
  })

  it('can be changed once, and the reply-to address follows', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(ADDRESS)
    const other = await aReader(page, site)
    const { inbox } = await aReader(page, site)
    await page.goto('/settings')
    await button(page, 'Use as reply-to').click()
    await button(page, 'Change').click()
    const dialog = page.getByRole('dialog', { name: 'Change your inbox address' })
    await dialog.getByText('This can be done once. Mail to the old address still arrives').waitFor()
    const name = dialog.getByLabel('New name', { exact: true })
    const [before = '', domain = ''] = inbox.address.split('@')
    expect(await name.inputValue()).toBe(before)
    expect(await dialog.getByRole('button', { name: 'Change Address' }).isDisabled()).toBe(true)
    await name.fill(other.inbox.address.split('@')[0] ?? '')
    await name.press('Enter')
    await dialog.getByText(/^409: /).waitFor()
    const wished = `harbour${Math.floor(Math.random() * 1e6)}`
    await name.fill(` ${wished.toUpperCase()}`)
    await dialog.getByRole('button', { name: 'Change Address' }).click()
    await expectToast(page, 'Inbox Address Changed', `${wished}@${domain}`)
    // What the toast says is drawn a moment after it.
    await eventually(() => field(page, OWN).inputValue()).toBe(`${wished}@${domain}`)
    await eventually(() => field(page, 'Reply-To Email').inputValue()).toBe(`${wished}@${domain}`)
    await dialog.waitFor({ state: 'detached' })
    expect(await button(page, 'Change').count()).toBe(0)
    // The button that opened the dialog is gone, and the keyboard is beside what was changed.
    await eventually(() => isFocused(page, button(page, `Copy ${OWN}`))).toBe(true)
  })

  it('that was changed elsewhere is shown as it is now by whoever comes back, and offered no more', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    const { member, inbox } = await aReader(page, site)
    await page.goto('/settings')
    await eventually(() => field(page, OWN).inputValue()).toBe(inbox.address)
    await page.getByTestId('link-inbox').click()
    await eventually(() => field(page, OWN).inputValue()).toBe(inbox.address)
    const changed = await changeElsewhere(site, member)
    const letThrough = await holdBack(page, ADDRESS)
    await page.getByTestId('link-settings').click()
    // What is known stands there meanwhile.
    await eventually(() => field(page, OWN).inputValue()).toBe(inbox.address)
    await button(page, 'Change').focus()
    await letThrough()
    await eventually(() => field(page, OWN).inputValue()).toBe(changed)
    expect(await button(page, 'Change').count()).toBe(0)
    await eventually(() => isFocused(page, button(page, `Copy ${OWN}`))).toBe(true)
  })

  it('in the inbox is what it was changed to elsewhere', { tags: 'thorough' }, async ({ page, site }) => {
    const { member, inbox } = await aReader(page, site)
    await page.goto('/inbox')
    await eventually(() => field(page, OWN).inputValue()).toBe(inbox.address)
    await page.getByTestId('link-history').click()
    await heading(page, 'Email History').waitFor()
    const changed = await changeElsewhere(site, member)
    await page.getByTestId('link-inbox').click()
    await eventually(() => field(page, OWN).inputValue()).toBe(changed)
  })

  it('whose one change is refused, having been made elsewhere, is shown as it is now', {
    tags: 'thorough',
  }, async ({ page, site, expectRefusal }) => {
    expectRefusal(ADDRESS)
    const { member, inbox } = await aReader(page, site)
    await page.goto('/settings')
    await eventually(() => field(page, OWN).inputValue()).toBe(inbox.address)
    await field(page, 'Reply-To Email').fill(inbox.address)
    await button(page, 'Change').click()
    const changed = await changeElsewhere(site, member)
    const dialog = page.getByRole('dialog', { name: 'Change your inbox address' })
    await dialog.getByLabel('New name', { exact: true }).fill('harbour')
    await page.keyboard.press('Enter')
    await dialog
      .getByRole('alert')
      .filter({ hasText: `is ${changed} now.` })
      .waitFor()
    expect(await dialog.getByRole('button', { name: 'Change Address' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await field(page, OWN).inputValue()).toBe(changed)
    // What somebody typed stays theirs; mail to it still arrives.
    expect(await field(page, 'Reply-To Email').inputValue()).toBe(inbox.address)
    expect(await button(page, 'Change').count()).toBe(0)
    await eventually(() => isFocused(page, button(page, `Copy ${OWN}`))).toBe(true)
  })

  it('where no mail is received is not offered, in plain words', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    await page.route(`**${ADDRESS}`, (route) =>
      route.fulfill({ json: { address: 'ann@example.test', isChangeable: true, isReceiving: false } }),
    )
    await aReader(page, site)
    await page.goto('/settings')
    await page
      .getByText('This installation receives no mail, so replies go to the reply-to address above.')
      .waitFor()
    expect(await button(page, 'Use as reply-to').count()).toBe(0)
    await page.goto('/inbox')
    const way = 'Whoever runs it can change that by setting INBOUND_SMTP_PORT and INBOUND_DOMAIN.'
    await page.getByText(`This installation receives no mail. ${way}`).waitFor()
    expect(await field(page, OWN).count()).toBe(0)
  })
})

import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { Settings } from '../contract/settings.ts'
import { aMember, eventually, type Member } from './harness.ts'
import { providerJourney as it, type Outside, RELAY_USER } from './own-providers.ts'
import { choose, fillSender, payloadOf, SENDER, SETTINGS, saveButton, testButton } from './settings-steps.ts'
import { ASKED_ANYTIME, field, heading, holdBack, link, tryAgain } from './steps.ts'
import { expectToast } from './toasts.ts'

const OPENS = 'Count opens'

const stored = async (owner: Member): Promise<Settings> =>
  (await (await owner.client()).get(SETTINGS)).json() as Settings

async function saveSender(page: Page): Promise<void> {
  await fillSender(page)
  await saveButton(page).click()
  await expectToast(page, 'Settings Saved')
}

/** Whom the email that is begun comes from, and where replies go. */
const senderOf = (page: Page): Promise<string> => page.getByRole('region', { name: 'Sender' }).innerText()

/** As on the phone, while this page is open. */
async function setUpRelayElsewhere(owner: Member, { relay }: Outside): Promise<void> {
  const answer = await (await owner.client()).post(SETTINGS, {
    provider: 'smtp',
    smtpHost: relay.url.hostname,
    smtpPort: Number(relay.url.port),
    smtpUser: RELAY_USER.user,
    smtpPassword: RELAY_USER.pass,
    ...SENDER,
  })
  expect(answer.status, answer.text).toBe(200)
}

describe('settings that were changed elsewhere', () => {
  it('apply to the next email that is begun here', { tags: 'thorough' }, async ({
    settingsPage: page,
    owner,
  }) => {
    await saveSender(page)
    await link(page, 'Compose').first().click()
    await eventually(() => senderOf(page)).toContain(SENDER.fromEmail)
    const answer = await (await owner.client()).post(SETTINGS, {
      fromName: 'Ann Keller',
      fromEmail: 'new@example.test',
    })
    expect(answer.status, answer.text).toBe(200)
    await link(page, 'History').first().click()
    await heading(page, 'Email History').waitFor()
    await link(page, 'Compose').first().click()
    await eventually(() => senderOf(page)).toContain('new@example.test')
    expect(await senderOf(page)).not.toContain(SENDER.fromEmail)
  })

  it('are waited for by whoever opens the screen again, though the page has older ones in mind', {
    tags: 'thorough',
  }, async ({ settingsPage: page, owner, outside }) => {
    await field(page, 'Email Provider').waitFor()
    await link(page, 'Compose').first().click()
    await heading(page, 'Compose Email').waitFor()
    await setUpRelayElsewhere(owner, outside)
    const letThrough = await holdBack(page, SETTINGS)
    await link(page, 'Settings').first().click()
    await page.getByRole('status').filter({ hasText: 'Loading your settings' }).waitFor()
    expect(await field(page, 'Email Provider').count()).toBe(0)
    await letThrough()
    await eventually(() => field(page, 'Email Provider').inputValue()).toBe('smtp')
    expect(await field(page, 'Sender Name').inputValue()).toBe(SENDER.fromName)
  })

  it('are in sight before something else is saved over them, password and all', { tags: 'thorough' }, async ({
    settingsPage: page,
    owner,
    outside,
    expectRefusal,
  }) => {
    expectRefusal(SETTINGS)
    await field(page, OPENS).waitFor()
    await setUpRelayElsewhere(owner, outside)
    await field(page, OPENS).click()
    await saveButton(page).click()
    const [, , reason] = await expectToast(page, 'Failed to Save')
    expect(reason).toMatch(
      /^409: Your email provider is SMTP by now, .* look at the settings and save again$/,
    )
    await eventually(() => field(page, 'Email Provider').inputValue()).toBe('smtp')
    expect(await field(page, 'Sender Name').inputValue()).toBe(SENDER.fromName)
    expect(await field(page, OPENS).isChecked()).toBe(false)
    await testButton(page).click()
    await expectToast(page, 'Credentials Verified')
    await saveButton(page).click()
    await expectToast(page, 'Settings Saved')
    expect(await stored(owner)).toMatchObject({
      provider: 'smtp',
      hasSmtpPassword: true,
      ...SENDER,
      trackOpens: false,
    })
  })

  it('are not set back by a form that was begun before, of which nobody changed the sender', {
    tags: 'thorough',
  }, async ({ settingsPage: page, owner, expectRefusal }) => {
    expectRefusal(SETTINGS)
    await saveSender(page)
    const client = await owner.client()
    const moved = { fromName: 'Ann Jørgensen', fromEmail: 'new@example.test' }
    expect((await client.post(SETTINGS, moved)).status).toBe(200)
    await field(page, OPENS).click()
    await saveButton(page).click()
    const [, , reason] = await expectToast(page, 'Failed to Save')
    expect(reason).toMatch(
      /^409: Your sender information was changed meanwhile .* look at the settings and save again$/,
    )
    await eventually(() => field(page, 'Reply-To Email').inputValue()).toBe(moved.fromEmail)
    expect(await field(page, 'Sender Name').inputValue()).toBe(moved.fromName)
    // What somebody types stays theirs, and a second save decides.
    await field(page, 'Sender Name').fill('Ann')
    await client.post(SETTINGS, SENDER)
    await saveButton(page).click()
    await expectToast(page, 'Failed to Save')
    await eventually(() => field(page, 'Reply-To Email').inputValue()).toBe(SENDER.fromEmail)
    await saveButton(page).click()
    await eventually(() => stored(owner)).toMatchObject({
      fromName: 'Ann',
      fromEmail: SENDER.fromEmail,
      trackOpens: false,
    })
    // Saved twice in a row, it is nobody else's doing.
    await field(page, 'Sender Name').fill('Ann K.')
    await saveButton(page).click()
    await eventually(() => stored(owner)).toMatchObject({ fromName: 'Ann K.' })
  })

  it('are replaced by another provider only by whoever knows of them, who types nothing twice', {
    tags: 'thorough',
  }, async ({ settingsPage: page, owner, outside, expectRefusal }) => {
    expectRefusal(SETTINGS)
    await fillSender(page)
    await choose(page, 'SendGrid')
    await field(page, 'API Key').fill(outside.sendgrid.apiKey)
    await testButton(page).click()
    await expectToast(page, 'Credentials Verified')
    await setUpRelayElsewhere(owner, outside)
    await saveButton(page).click()
    const [, , reason] = await expectToast(page, 'Failed to Save')
    expect(reason).toMatch(
      /^409: Your email provider is SMTP by now, .* look at the settings and save again$/,
    )
    expect(await stored(owner)).toMatchObject({ provider: 'smtp', hasSmtpPassword: true })
    expect(await field(page, 'Email Provider').inputValue()).toBe('sendgrid')
    expect(await field(page, 'API Key').inputValue()).toBe(outside.sendgrid.apiKey)
    await eventually(() => saveButton(page).isDisabled()).toBe(true)
    await testButton(page).click()
    await expectToast(page, 'Credentials Verified')
    await saveButton(page).click()
    await expectToast(page, 'Settings Saved')
    expect(await stored(owner)).toMatchObject({ provider: 'sendgrid', hasApiKey: true })
  })
})

describe('settings of another account that signs in meanwhile', () => {
  it('never come into the form, nor into what is written after', async ({
    settingsPage: page,
    owner,
    site,
    context,
    allowRefusal,
  }) => {
    for (const path of [...ASKED_ANYTIME, SETTINGS]) allowRefusal(path)
    await saveSender(page)
    await field(page, 'Sender Name').fill('Ann')
    const ben = await aMember(site)
    await (await ben.client()).post(SETTINGS, { fromName: 'Ben', fromEmail: 'ben@example.test' })
    await ben.signIn(context)
    await saveButton(page).click()
    const [, , reason] = await expectToast(page, 'Failed to Save')
    expect(reason).toMatch(/^409: Another account is signed in now .* nothing was done/)
    await owner.signIn(context)
    await saveButton(page).click()
    await eventually(() => stored(owner)).toMatchObject({ fromName: 'Ann', fromEmail: SENDER.fromEmail })
    await link(page, 'Compose').first().click()
    await eventually(() => senderOf(page)).toContain(SENDER.fromEmail)
  })
})

describe('settings that were saved here', () => {
  it('are not taken back by the next save, though they could not be read again after the first', {
    tags: 'thorough',
  }, async ({ settingsPage: page, owner, expectRefusal }) => {
    expectRefusal(SETTINGS)
    await fillSender(page)
    await page.route(`**${SETTINGS}`, async (route) => {
      if (route.request().method() === 'POST') return route.continue()
      await route.fulfill({ status: 503, body: 'The database cannot be reached', contentType: 'text/plain' })
    })
    await saveButton(page).click()
    await expectToast(page, 'Settings Saved')
    await saveButton(page).waitFor()
    expect(await field(page, 'Sender Name').inputValue()).toBe(SENDER.fromName)
    // Nor are further ones refused, as those of a form that knows too little.
    for (const fromName of ['Ann', SENDER.fromName]) {
      await field(page, 'Sender Name').fill(fromName)
      await saveButton(page).click()
      await eventually(() => stored(owner)).toMatchObject({ fromName })
    }
    await saveButton(page).waitFor()
    // All of it is stored: there is nothing to ask.
    await link(page, 'Compose').first().click()
    await heading(page, 'Compose Email').waitFor()
    await link(page, 'Settings').first().click()
    await page.getByRole('alert').getByText('503: The database cannot be reached').waitFor()
    await tryAgain(page, SETTINGS)
    await field(page, OPENS).click()
    expect(await payloadOf(page, SETTINGS, () => saveButton(page).click())).toEqual({
      provider: 'resend',
      ...SENDER,
      trackOpens: false,
    })
    // The toast of the first save may still be there.
    await eventually(() => stored(owner)).toMatchObject({ ...SENDER, trackOpens: false })
  })
})

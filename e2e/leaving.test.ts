import { describe, expect } from 'vitest'
import { DRAFTS, draftsButton, draftsOf, message, openComposer, saved } from './compose-steps.ts'
import { aMember, eventually, journey as it } from './harness.ts'
import { someoneNew } from './history-steps.ts'
import { LIST, replyArea, row, subject, withMails } from './inbox-steps.ts'
import { ASKED_ANYTIME, button, field, fillSignIn, heading, holdBack, link, pathOf } from './steps.ts'
import { nextFrames } from './time.ts'

const SETTINGS = '/api/settings'
const LOGOUT = '/api/auth/logout'

describe('words that are not saved', () => {
  it('in a template are asked about before going back loses them', async ({ page, site }) => {
    await someoneNew(page, site)
    await page.goto('/')
    await link(page, 'Templates').click()
    // Until the list is there, the button stands elsewhere.
    await page.getByText('No Templates Yet').waitFor()
    await button(page, 'Create Template').click()
    await field(page, 'Message').fill('Not yet finished')
    const question = page.getByRole('alert').filter({ hasText: 'Discard what you have written?' })
    await page.evaluate(() => history.back())
    await question.waitFor()
    await button(page, 'Keep writing').click()
    expect(await field(page, 'Message').inputValue()).toBe('Not yet finished')
    expect(pathOf(page)).toBe('/templates')
    await page.evaluate(() => history.back())
    await question.waitFor()
    await button(page, 'Discard').click()
    await heading(page, 'Dashboard').waitFor()
  })

  it('in the settings are asked about before a link loses them, and not once they are saved', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    await someoneNew(page, site)
    await page.goto('/settings')
    await field(page, 'Sender Name').fill('Ann Keller')
    const away = link(page, 'Suppression List')
    await away.click()
    await page.getByRole('dialog', { name: 'Leave these settings?' }).waitFor()
    await button(page, 'Keep Editing').click()
    expect(await field(page, 'Sender Name').inputValue()).toBe('Ann Keller')
    await field(page, 'Reply-To Email').fill('ann@example.test')
    await button(page, 'Save Settings').click()
    await away.click()
    await heading(page, 'Suppression List').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('in the settings are asked about, though others are just being saved', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    await someoneNew(page, site)
    await page.goto('/settings')
    await field(page, 'Sender Name').fill('Ann Keller')
    await field(page, 'Reply-To Email').fill('ann@example.test')
    const letThrough = await holdBack(page, SETTINGS)
    await button(page, 'Save Settings').click()
    await button(page, 'Saving...').waitFor()
    await field(page, 'Sender Name').fill('Ann Keller-Typed Since')
    await link(page, 'Suppression List').click()
    const readAgain = page.waitForResponse(
      (response) => response.request().method() === 'GET' && response.url().endsWith(SETTINGS),
    )
    await letThrough()
    await (await readAgain).finished()
    await nextFrames(page)
    await page.getByRole('dialog', { name: 'Leave these settings?' }).waitFor()
    await button(page, 'Keep Editing').click()
    expect(await field(page, 'Sender Name').inputValue()).toBe('Ann Keller-Typed Since')
  })

  it('in a reply are asked about before the session ends', async ({ page, site, allowRefusal }) => {
    const { inbox, ids } = await withMails(page, site, [{ subject: 'One' }])
    // What the news have read again may come too late.
    for (const path of [...ASKED_ANYTIME, LIST, `/api/inbox/message/${inbox.inboxId}/${ids[0]}`])
      allowRefusal(path)
    await row(page, 'One').click()
    await subject(page, 'One').waitFor()
    await button(page, 'Reply').first().click()
    await replyArea(page).fill('Half a reply')
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith(LOGOUT)) calls.push(request.method())
    })
    await button(page, 'Log out').click()
    await page.getByRole('dialog', { name: 'Leave this reply?' }).waitFor()
    await button(page, 'Keep Writing').click()
    expect(calls).toEqual([])
    expect(await replyArea(page).inputValue()).toBe('Half a reply')
    await button(page, 'Log out').click()
    await button(page, 'Leave Without Sending').click()
    await heading(page, 'Sign in to Postrider').waitFor()
  })

  it('in an email are saved before the session ends', async ({ page, site, allowRefusal }) => {
    // The list of drafts is read again after the saving, which the end of the session may overtake.
    for (const path of [...ASKED_ANYTIME, DRAFTS]) allowRefusal(path)
    const writer = await openComposer(page, site)
    await message(page).fill('Typed just now')
    await button(page, 'Log out').click()
    await heading(page, 'Sign in to Postrider').waitFor()
    await eventually(async () => (await draftsOf(writer)).length).toBe(1)
  })
})

describe('a session that ends elsewhere', () => {
  it('takes nothing that was typed: signed in again in another tab, one goes on here', {
    tags: 'thorough',
  }, async ({ page, site, context, expectRefusal, allowRefusal }) => {
    ASKED_ANYTIME.forEach(allowRefusal)
    expectRefusal(DRAFTS)
    const writer = await openComposer(page, site)
    const letThrough = await holdBack(page, `${DRAFTS}/*`)
    await message(page).fill('Not yet finished')
    await site.db.deleteFrom('sessions').where('user_id', '=', writer.userId).execute()
    await draftsButton(page).click()
    const notice = page.getByRole('alert').filter({ hasText: 'You are signed out' })
    await notice.waitFor()
    expect(await message(page).inputValue()).toBe('Not yet finished')
    await page.keyboard.press('Escape')
    const opened = context.waitForEvent('page')
    await link(page, 'Sign in in another tab').click()
    const other = await opened
    await fillSignIn(other, writer.email)
    await button(other, 'Sign In').click()
    await heading(other, 'Dashboard').waitFor()
    await notice.waitFor({ state: 'detached' })
    await letThrough()
    await saved(page)
    expect(await message(page).inputValue()).toBe('Not yet finished')
  })

  it('is shown once nothing typed can be lost any more', async ({ page, site, allowRefusal }) => {
    ASKED_ANYTIME.forEach(allowRefusal)
    const writer = await someoneNew(page, site)
    await page.goto('/settings')
    await field(page, 'Sender Name').fill('Ann Keller')
    await field(page, 'Reply-To Email').fill('ann@example.test')
    await site.db.deleteFrom('sessions').where('user_id', '=', writer.userId).execute()
    for (const path of ['settings', 'suppressions', 'inbox/address', 'telegram/bot'])
      allowRefusal(`/api/${path}`)
    await button(page, 'Save Settings').click()
    await page.getByRole('alert').filter({ hasText: 'You are signed out' }).waitFor()
    expect(await field(page, 'Sender Name').inputValue()).toBe('Ann Keller')
    await link(page, 'Suppression List').click()
    await button(page, 'Leave Without Saving').click()
    await heading(page, 'Sign in to Postrider').waitFor()
  })
})

describe('the other tabs of a browser', () => {
  it('show the account that signed in last, and nothing once nobody is signed in', {
    tags: 'thorough',
  }, async ({ page, site, context, allowRefusal }) => {
    ASKED_ANYTIME.forEach(allowRefusal)
    const [ann, ben] = [await aMember(site), await aMember(site)]
    await ann.signIn(context)
    await page.goto('/templates')
    await page.getByText(ann.email).first().waitFor()
    await page.getByText('No Templates Yet').waitFor()
    const other = await context.newPage()
    await ben.signIn(context)
    await other.goto('/templates')
    await other.getByText(ben.email).first().waitFor()
    await page.getByText(ben.email).first().waitFor()
    await page.getByText('No Templates Yet').waitFor()
    await other.getByText('No Templates Yet').waitFor()
    await button(other, 'Log out').click()
    await heading(other, 'Sign in to Postrider').waitFor()
    await heading(page, 'Sign in to Postrider').waitFor()
  })

  it('save and send nothing of one account as another', async ({ page, site, context, allowRefusal }) => {
    ASKED_ANYTIME.forEach(allowRefusal)
    const ann = await openComposer(page, site)
    const asked = page.waitForRequest((request) => request.method() === 'PUT')
    const letThrough = await holdBack(page, `${DRAFTS}/*`)
    await message(page).pressSequentially('From Ann alone')
    allowRefusal(new URL((await asked).url()).pathname)
    const ben = await aMember(site)
    await ben.signIn(context)
    const other = await context.newPage()
    await other.goto('/templates')
    const notice = page.getByRole('alert').filter({ hasText: 'Another account is signed in' })
    await notice.getByText(`until ${ann.email} is signed in again`).waitFor()
    const answered = page.waitForResponse((response) => response.request().method() === 'PUT')
    await letThrough()
    expect((await answered).status()).toBe(409)
    await page.getByText('Draft not saved, trying again.').waitFor()
    expect((await (await ben.client()).get(DRAFTS)).json()).toEqual([])
    expect(await message(page).inputValue()).toBe('From Ann alone')
    // What this tab still asked for as Ben would be refused once Ann is there.
    await other.getByText('No Templates Yet').waitFor()
    await ann.signIn(context)
    await other.reload()
    await notice.waitFor({ state: 'detached' })
    await eventually(async () => (await draftsOf(ann)).length).toBe(1)
  })
})

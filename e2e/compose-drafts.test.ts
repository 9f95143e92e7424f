import { describe, expect } from 'vitest'
import {
  addRecipients,
  aWriter,
  bodyOf,
  chips,
  DRAFTS,
  draftIn,
  draftsOf,
  message,
  openComposer,
  saveDraftButton,
  saved,
  sendButton,
  storeDraft,
  storeTemplate,
  TEMPLATES,
  write,
} from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { answerWith, field, holdBack, tryAgain } from './steps.ts'
import { expectToast, toastLines } from './toasts.ts'

describe('a draft', () => {
  it('saves itself a moment after typing stops, without a toast, and is there after a reload', async ({
    page,
    site,
  }) => {
    const writer = await openComposer(page, site)
    await write(page, { to: ['bob@example.test', 'eve@example.test'], subject: 'Begun', body: 'So far' })
    await saved(page)
    expect(await toastLines(page)).toEqual([])
    expect(await draftsOf(writer)).toMatchObject([{ subject: 'Begun', recipientCount: 2, id: draftIn(page) }])
    await page.reload()
    await eventually(() => chips(page)).toEqual(['bob@example.test', 'eve@example.test'])
    expect(await field(page, 'Subject').inputValue()).toBe('Begun')
    expect(await message(page).inputValue()).toBe('So far')
    await message(page).fill('So far, so good')
    await saved(page)
    expect(await draftsOf(writer)).toHaveLength(1)
  })

  it('is not made of nothing, and goes when everything is deleted', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const writer = await openComposer(page, site)
    await saveDraftButton(page).click()
    await page.getByText('Nothing to save yet').waitFor()
    expect(await draftsOf(writer)).toEqual([])
    await field(page, 'Subject').fill('A thought')
    await saved(page)
    await field(page, 'Subject').fill('')
    await eventually(() => draftsOf(writer)).toEqual([])
    await eventually(() => draftIn(page)).toBe('')
  })

  it('is saved at once by Save Draft', async ({ page, site }) => {
    const writer = await openComposer(page, site)
    await page.clock.install()
    await field(page, 'Subject').fill('Now')
    await saveDraftButton(page).click()
    await saved(page)
    expect(await draftsOf(writer)).toMatchObject([{ subject: 'Now' }])
  })

  it('is gone once it is sent', async ({ page, site }) => {
    const writer = await openComposer(page, site)
    await write(page)
    await saved(page)
    expect(await draftsOf(writer)).toHaveLength(1)
    await sendButton(page).click()
    await expectToast(page, 'Email Sent')
    expect(await draftsOf(writer)).toEqual([])
    await eventually(() => draftIn(page)).toBe('')
    // Nothing comes back by itself.
    await page.waitForTimeout(1_500)
    expect(await draftsOf(writer)).toEqual([])
  })

  it('that was sent or deleted elsewhere leaves an empty sheet that says so', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    const gone = '11111111-1111-4111-8111-111111111111'
    expectRefusal(`${DRAFTS}/${gone}`)
    await openComposer(page, site, `/compose?draft=${gone}`)
    await page.getByText('This draft is no longer there').waitFor()
    await eventually(() => draftIn(page)).toBe('')
  })

  it('is left alone by Compose in the sidebar, which begins another one', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const writer = await openComposer(page, site)
    await write(page, { subject: 'First' })
    await saved(page)
    await page.getByTestId('link-compose').click()
    await eventually(() => chips(page)).toEqual([])
    await write(page, { subject: 'Second' })
    await saved(page)
    expect((await draftsOf(writer)).map(({ subject }) => subject).sort()).toEqual(['First', 'Second'])
    await page.goBack()
    await eventually(() => field(page, 'Subject').inputValue()).toBe('First')
  })

  it('that cannot be saved says so, and is saved when it can', async ({ page, site, expectRefusal }) => {
    const writer = await openComposer(page, site)
    const id = await storeDraft(site, writer, { subject: 'Kept' })
    expectRefusal(`${DRAFTS}/${id}`)
    await page.goto(`/compose?draft=${id}`)
    await page.route(`**${DRAFTS}/${id}`, (route) =>
      route.request().method() === 'PUT' ? route.abort('internetdisconnected') : route.fallback(),
    )
    await message(page).fill('Written on a train')
    await page.getByText('Draft not saved, trying again.').waitFor()
    await page.unroute(`**${DRAFTS}/${id}`)
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await saved(page)
    expect(await bodyOf(writer, id)).toBe('Written on a train')
  })

  it('ends as it was typed last, however slowly the first answers come', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const writer = await openComposer(page, site)
    let isFirst = true
    await page.route(`**${DRAFTS}/*`, async (route) => {
      if (isFirst && route.request().method() === 'PUT') {
        isFirst = false
        await new Promise((resolve) => setTimeout(resolve, 3_000))
      }
      await route.fallback()
    })
    const asked = page.waitForRequest((request) => request.method() === 'PUT')
    await message(page).fill('first')
    await asked
    await message(page).fill('second')
    await saved(page)
    expect(await bodyOf(writer, draftIn(page))).toBe('second')
  })

  it('begun before its template could be fetched keeps what the template filled in', {
    tags: 'thorough',
  }, async ({ page, site, expectRefusal }) => {
    const writer = await aWriter(site)
    const template = `${TEMPLATES}/${await storeTemplate(writer)}`
    expectRefusal(template)
    await writer.signIn(page.context())
    await answerWith(page, template, 500, 'No way')
    await page.goto(`/compose/${template.slice(TEMPLATES.length + 1)}`)
    await page.getByText('Failed to fetch template').waitFor()
    await addRecipients(page, 'bob@example.test')
    await saved(page)
    await tryAgain(page, template)
    await eventually(() => field(page, 'Subject').inputValue()).toBe('Your invoice')
    const id = draftIn(page)
    await eventually(() => bodyOf(writer, id)).toBe('Please find it below.')
    expect(await draftsOf(writer)).toMatchObject([{ id, subject: 'Your invoice', recipientCount: 1 }])
  })

  it('open in two tabs follows the one that is written in', { tags: 'thorough' }, async ({
    page,
    site,
    context,
  }) => {
    await openComposer(page, site)
    await write(page, { body: 'one' })
    await saved(page)
    const other = await context.newPage()
    await other.goto(page.url())
    await eventually(() => message(other).inputValue()).toBe('one')
    await message(other).fill('one and two')
    await eventually(() => message(page).inputValue()).toBe('one and two')
    await sendButton(other).click()
    await expectToast(other, 'Email Sent')
    await page.getByText('This draft is no longer there').waitFor()
  })

  it('written in two tabs at once loses neither', { tags: 'thorough' }, async ({
    page,
    site,
    context,
    expectRefusal,
  }) => {
    const writer = await openComposer(page, site)
    await write(page, { subject: 'Both', body: 'one' })
    await saved(page)
    // The later one of the two.
    expectRefusal(`${DRAFTS}/${draftIn(page)}`)
    const other = await context.newPage()
    await other.goto(page.url())
    await eventually(() => message(other).inputValue()).toBe('one')
    // Neither hears of the other before both are written.
    const release = await Promise.all([page, other].map((tab) => holdBack(tab, `${DRAFTS}/*`)))
    await Promise.all([message(page).fill('mine'), message(other).fill('yours')])
    for (const letThrough of release) await letThrough()
    await eventually(async () => {
      const drafts = await draftsOf(writer)
      const bodies = await Promise.all(drafts.map(({ id }) => bodyOf(writer, id)))
      return bodies.sort()
    }).toEqual(['mine', 'yours'])
  })
})

import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { TEMPLATE_CHANGED_ELSEWHERE, type Template } from '../contract/templates.ts'
import type { Browser as ApiClient } from '../server/test/browser.ts'
import { message } from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import type { Site } from './site.ts'
import { button, field, heading, holdBack, link } from './steps.ts'
import {
  aWriter,
  card,
  cardNames,
  deleteByHand,
  fillTemplate,
  kept,
  TEMPLATES,
  WELCOME,
} from './templates-steps.ts'
import { expectToast, keepToasts } from './toasts.ts'

const OURS = 'The text of the first tab'
const THEIRS = 'The text of the second tab'

async function openEdit(page: Page, name: string): Promise<void> {
  await button(page, `Edit ${name}`).click()
  await page.getByRole('dialog', { name: 'Edit Template' }).waitFor()
}

async function editByHand(page: Page, name: string, body: string): Promise<void> {
  await openEdit(page, name)
  await fillTemplate(page, { body })
  await button(page, 'Save Template').click()
  await expectToast(page, 'Template Saved')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Somebody has a template open and another text typed in it; to save that will be refused. */
async function aTypedEdit(page: Page, site: Site, expectRefusal: (path: string) => void) {
  const writer = await aWriter(page, site, [{ name: 'Known' }])
  expectRefusal(`${TEMPLATES}/${writer.templates[0]?.id}`)
  await page.goto('/templates')
  await openEdit(page, 'Known')
  await fillTemplate(page, { body: OURS })
  return writer
}

/** In another tab, by the same person. */
async function editInSecondTab(page: Page, name: string): Promise<void> {
  const second = await page.context().newPage()
  await second.goto('/templates')
  await editByHand(second, name, THEIRS)
  await second.close()
}

/** As on the phone, while this page is open. */
async function editElsewhere(site: Site, client: ApiClient, template: Template | undefined): Promise<void> {
  const { id, name, subject } = template ?? { id: '', name: '', subject: '' }
  const answer = await client.send({
    method: 'PUT',
    path: `${TEMPLATES}/${id}`,
    payload: JSON.stringify({ name, subject, body: THEIRS }),
    headers: { origin: site.origin, 'content-type': 'application/json' },
  })
  expect(answer.status, answer.text).toBe(200)
}

const expectRefused = (page: Page) =>
  expectToast(
    page,
    'Failed to Save',
    'There was an error saving your template',
    `409: ${TEMPLATE_CHANGED_ELSEWHERE}`,
  )

describe('a template that was edited in another tab since it was opened', () => {
  it('is not replaced unknowingly: the typed words stay, and a second Save stores them', async ({
    page,
    site,
    expectRefusal,
  }) => {
    const { client } = await aTypedEdit(page, site, expectRefusal)
    await fillTemplate(page, { name: 'Mine' })
    await editInSecondTab(page, 'Known')
    await button(page, 'Save Template').click()
    await expectRefused(page)
    expect(await kept(client)).toMatchObject([{ name: 'Known', body: THEIRS }])
    expect(await field(page, 'Template Name').inputValue()).toBe('Mine')
    expect(await field(page, 'Message').inputValue()).toBe(OURS)
    await button(page, 'Save Template').click()
    await expectToast(page, 'Template Saved')
    await card(page, 'Mine').getByText(OURS).waitFor()
    expect(await kept(client)).toMatchObject([{ name: 'Mine', body: OURS }])
  })

  it('is shown as it is by now to whoever cancels, and is edited from there', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    const { client } = await aTypedEdit(page, site, expectRefusal)
    await editInSecondTab(page, 'Known')
    await button(page, 'Save Template').click()
    await expectRefused(page)
    // Until what is stored has been read, nothing can be cancelled.
    await button(page, 'Save Template').waitFor()
    await button(page, 'Cancel').click()
    await button(page, 'Discard').click()
    await card(page, 'Known').getByText(THEIRS).waitFor()
    await openEdit(page, 'Known')
    expect(await field(page, 'Message').inputValue()).toBe(THEIRS)
    await fillTemplate(page, { body: `${THEIRS}, and mine` })
    await button(page, 'Save Template').click()
    await expectToast(page, 'Template Saved')
    expect(await kept(client)).toMatchObject([{ body: `${THEIRS}, and mine` }])
  })

  it('is refused again while what is stored could not be read', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    const { client, templates } = await aTypedEdit(page, site, expectRefusal)
    expectRefusal(TEMPLATES)
    await editElsewhere(site, client, templates[0])
    await page.route(`**${TEMPLATES}`, (route) =>
      route.fulfill({ status: 503, body: 'The database cannot be reached', contentType: 'text/plain' }),
    )
    for (let time = 0; time < 2; time++) {
      await button(page, 'Save Template').click()
      await expectRefused(page)
    }
    expect(await kept(client)).toMatchObject([{ body: THEIRS }])
    await button(page, 'Save Template').waitFor()
    await page.unroute(`**${TEMPLATES}`)
    await button(page, 'Save Template').click()
    await expectRefused(page)
    expect(await field(page, 'Message').inputValue()).toBe(OURS)
    await button(page, 'Save Template').click()
    await expectToast(page, 'Template Saved')
    expect(await kept(client)).toMatchObject([{ body: OURS }])
  })
})

describe('a template that only this page changes', () => {
  it('is edited again and again, spaces around and foreign line ends or not', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const { client } = await aWriter(page, site, [{ name: 'Known', body: 'Line 1\r\nLine 2' }])
    await page.goto('/templates')
    await openEdit(page, 'Known')
    await fillTemplate(page, { name: '  Known ', subject: ' Hello  ' })
    await button(page, 'Save Template').click()
    await expectToast(page, 'Template Saved')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await kept(client)).toMatchObject([{ name: 'Known', subject: 'Hello', body: 'Line 1\r\nLine 2' }])
    await editByHand(page, 'Known', ' Line 1\nLine 2\n')
    // What was read after the first save is not needed for the next one.
    const letThrough = await holdBack(page, TEMPLATES)
    await editByHand(page, 'Known', 'Line 1')
    await editByHand(page, 'Known', 'Line 1\nLine 2')
    await letThrough()
    expect(await kept(client)).toMatchObject([{ body: 'Line 1\nLine 2' }])
  })
})

describe('templates that were changed elsewhere', () => {
  it('are seen by whoever opens the screen again, and those from before stay on show meanwhile', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    await keepToasts(page)
    const { client, templates } = await aWriter(page, site, [{ name: 'Known' }, { name: 'Unwanted' }])
    await page.goto('/templates')
    await card(page, 'Known').waitFor()
    await link(page, 'Compose').first().click()
    await heading(page, 'Compose Email').waitFor()
    await editElsewhere(site, client, templates[0])
    const letThrough = await holdBack(page, TEMPLATES)
    await link(page, 'Templates').click()
    await eventually(() => cardNames(page)).toEqual(['Unwanted', 'Known'])
    expect(await page.getByText('Loading your templates').count()).toBe(0)
    // What is deleted while it is read, and can be taken back, does not come back with what is read.
    await deleteByHand(page, 'Unwanted')
    await letThrough()
    await card(page, 'Known').getByText(THEIRS).waitFor()
    expect(await cardNames(page)).toEqual(['Known'])
    expect(await kept(client)).toHaveLength(2)
  })

  it('are filled in by the composer as they are by now, though it has filled in the old text before', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    const { client, templates } = await aWriter(page, site, [{ name: 'Known' }])
    const use = () => card(page, 'Known').getByRole('button', { name: 'Use Template' }).click()
    await page.goto('/templates')
    await use()
    await eventually(() => message(page).inputValue()).toBe(WELCOME.body)
    await page.goBack()
    await card(page, 'Known').waitFor()
    await editElsewhere(site, client, templates[0])
    await use()
    await eventually(() => message(page).inputValue()).toBe(THEIRS)
  })
})

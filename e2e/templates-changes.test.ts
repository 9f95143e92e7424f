import { describe, expect } from 'vitest'
import { inOneDay } from '../server/test/one-day.ts'
import { addRecipients, sendButton } from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { button, field, holdBack, link } from './steps.ts'
import {
  aWriter,
  card,
  cardNames,
  fillTemplate,
  focused,
  kept,
  pretendUse,
  TEMPLATES,
  usageOf,
  WELCOME,
} from './templates-steps.ts'
import { expectToast } from './toasts.ts'

describe('a template that is edited', () => {
  it('keeps its id, its place and its use', { tags: 'thorough' }, async ({ page, site }) => {
    await inOneDay()
    const { client, templates } = await aWriter(page, site, [{ name: 'Older' }, { name: 'Newer' }])
    const [older] = templates
    if (older) await pretendUse(site, older, 3, 1)
    await page.goto('/templates')
    await button(page, 'Edit Older').click()
    await page.getByRole('dialog', { name: 'Edit Template' }).waitFor()
    expect(await field(page, 'Template Name').inputValue()).toBe('Older')
    expect(await field(page, 'Subject').inputValue()).toBe(WELCOME.subject)
    expect(await field(page, 'Message').inputValue()).toBe(WELCOME.body)
    await fillTemplate(page, { name: 'Renamed', subject: 'Another subject', body: 'Another text' })
    await button(page, 'Save Template').click()
    await expectToast(page, 'Template Saved')
    await eventually(() => cardNames(page)).toEqual(['Newer', 'Renamed'])
    await card(page, 'Renamed').getByText('Another text').waitFor()
    expect(await usageOf(page, 'Renamed')).toEqual(['Yesterday', 'Used 3 times'])
    await eventually(() => button(page, 'Edit Renamed').and(focused(page)).count()).toBe(1)
    expect((await kept(client))[1]).toMatchObject({ id: older?.id, name: 'Renamed', usageCount: 3 })
  })

  it('is what the composer loads, also when it had loaded the old text before', async ({ page, site }) => {
    await aWriter(page, site, [{ name: 'Known' }])
    await page.goto('/templates')
    await card(page, 'Known').getByRole('button', { name: 'Use Template' }).click()
    await eventually(() => field(page, 'Subject').inputValue()).toBe(WELCOME.subject)
    await page.goBack()
    await button(page, 'Edit Known').click()
    await fillTemplate(page, { subject: 'Another subject' })
    await button(page, 'Save Template').click()
    await expectToast(page, 'Template Saved')
    await card(page, 'Known').getByRole('button', { name: 'Use Template' }).click()
    await eventually(() => field(page, 'Subject').inputValue()).toBe('Another subject')
  })
  it('elsewhere is what the composer loads, as its card shows', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const { client, templates } = await aWriter(page, site, [{ name: 'Known' }])
    await page.goto('/templates')
    await card(page, 'Known').getByRole('button', { name: 'Use Template' }).click()
    await eventually(() => field(page, 'Subject').inputValue()).toBe(WELCOME.subject)
    await client.send({
      method: 'PUT',
      path: `${TEMPLATES}/${templates[0]?.id}`,
      payload: JSON.stringify({ name: 'Known', subject: 'Another subject', body: 'Another text' }),
      headers: { origin: site.origin, 'content-type': 'application/json' },
    })
    await addRecipients(page, 'bob@example.test')
    await sendButton(page).click()
    await expectToast(page, 'Email Sent')
    await link(page, 'Templates').click()
    await card(page, 'Known').getByText('Another text').waitFor()
    const letThrough = await holdBack(page, `${TEMPLATES}/${templates[0]?.id}`)
    await card(page, 'Known').getByRole('button', { name: 'Use Template' }).click()
    await page.getByPlaceholder('Loading the template…').waitFor()
    expect(await field(page, 'Subject').inputValue()).toBe('')
    await letThrough()
    await eventually(() => field(page, 'Subject').inputValue()).toBe('Another subject')
  })
})

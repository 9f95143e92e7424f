import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { SaveTemplateRequest, Template } from '../contract/templates.ts'
import type { Browser as ApiClient } from '../server/test/browser.ts'
import { aMember, type Member } from './harness.ts'
import type { Site } from './site.ts'
import { field } from './steps.ts'

export const TEMPLATES = '/api/templates'

export const WELCOME = {
  name: 'Welcome',
  subject: 'Good to have you with us',
  body: 'Hello,\n\nit is good to have you with us. Three things to begin with: a cup of tea, a look around, a first letter.\n\nAnn',
}

async function keep(client: ApiClient, template: Partial<SaveTemplateRequest> = {}): Promise<Template> {
  const answer = await client.post(TEMPLATES, { ...WELCOME, ...template })
  expect(answer.status, answer.text).toBe(200)
  return answer.json() as Template
}

export const kept = async (client: ApiClient): Promise<Template[]> =>
  (await client.get(TEMPLATES)).json() as Template[]

/** A member of their own with these templates, signed in on this page; the last one is the newest. */
export async function aWriter(
  page: Page,
  site: Site,
  templates: Partial<SaveTemplateRequest>[] = [],
): Promise<{ member: Member; client: ApiClient; templates: Template[] }> {
  const member = await aMember(site)
  const client = await member.client()
  const made: Template[] = []
  for (const template of templates) made.push(await keep(client, template))
  await member.signInOn(page)
  return { member, client, templates: made }
}

/** As if it had been used for so many campaigns, the last time so many days ago. */
export const pretendUse = (site: Site, { id }: Template, times: number, daysAgo: number) =>
  site.db
    .updateTable('templates')
    .set({ usage_count: times, last_used_at: new Date(Date.now() - daysAgo * 24 * 60 * 60 * 1000) })
    .where('id', '=', id)
    .execute()

export const card = (page: Page, name: string): Locator =>
  page
    .getByRole('list', { name: 'Templates' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })

export const cardNames = (page: Page): Promise<string[]> =>
  page.getByRole('list', { name: 'Templates' }).getByRole('heading').allInnerTexts()

export async function fillTemplate(page: Page, template: Partial<SaveTemplateRequest>): Promise<void> {
  const { name, subject, body } = template
  if (name !== undefined) await field(page, 'Template Name').fill(name)
  if (subject !== undefined) await field(page, 'Subject').fill(subject)
  if (body !== undefined) await field(page, 'Message').fill(body)
}

/** What a card says of its use: when last, and how often. */
export const usageOf = async (page: Page, name: string): Promise<string[]> =>
  (await card(page, name).locator('dd').allInnerTexts()).map((text) => text.trim())

export const focused = (page: Page): Locator => page.locator(':focus')

/** Asks for the deletion and confirms it. */
export async function deleteByHand(page: Page, name: string): Promise<void> {
  await card(page, name)
    .getByRole('button', { name: `Delete ${name}` })
    .click()
  await page
    .getByRole('group', { name: `Delete ${name}?` })
    .getByRole('button', { name: 'Delete' })
    .click()
}

import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { TEMPLATES_MAX } from '../contract/templates.ts'
import { openComposer, write } from './compose-steps.ts'
import { aMember, journey as it, type Member } from './harness.ts'
import type { Site } from './site.ts'
import { button, field } from './steps.ts'
import { fillTemplate, kept, TEMPLATES, WELCOME } from './templates-steps.ts'
import { expectToast } from './toasts.ts'

const NOT_SAVED = [
  'Failed to Save',
  'There was an error saving your template',
  '409: You have 500 templates, which is the most that are kept; delete one first',
] as const

/** As many as are kept. */
const fill = (site: Site, { email }: Pick<Member, 'email'>) =>
  sql`
    insert into templates (id, user_id, name, subject, body)
    select gen_random_uuid(), users.id, 'One of many', 's', 'b'
    from users, generate_series(1, ${TEMPLATES_MAX}::int) where email = ${email}`.execute(site.db)

describe('a template that is one too many', () => {
  it('is refused on its screen with what to do, and stays as it was typed', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(TEMPLATES)
    const member = await aMember(site)
    await fill(site, member)
    await member.signIn(page.context())
    await page.goto('/templates')
    await button(page, 'Create Template').click()
    await fillTemplate(page, WELCOME)
    await button(page, 'Save Template').click()
    await expectToast(page, ...NOT_SAVED)
    expect(await field(page, 'Message').inputValue()).toBe(WELCOME.body)
    expect(await kept(await member.client())).toHaveLength(TEMPLATES_MAX)
  })

  it('is refused in the composer with what to do, and keeps its name', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(TEMPLATES)
    const writer = await openComposer(page, site)
    await fill(site, writer)
    await write(page)
    await button(page, 'Save as Template').click()
    await field(page, 'Template Name').fill('Autumn letter')
    await button(page, 'Save Template').click()
    await expectToast(page, ...NOT_SAVED)
    expect(await field(page, 'Template Name').inputValue()).toBe('Autumn letter')
  })
})

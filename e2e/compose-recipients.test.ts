import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import {
  addRecipients,
  chips,
  chooseFiles,
  message,
  openComposer,
  paste,
  recipientInput,
  SEND,
  sendButton,
  write,
} from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { button, field } from './steps.ts'
import { expectToast } from './toasts.ts'

const many = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `reader${n + 1}@example.test`)

const focusedName = (page: Page): Promise<string | null> =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id ?? null,
  )

describe('a recipient', () => {
  it('is added by Enter, by a comma and by leaving the field; trimmed, and not twice', async ({
    page,
    site,
  }) => {
    await openComposer(page, site)
    await recipientInput(page).fill('  ann@example.test  ')
    await recipientInput(page).press('Enter')
    expect(await chips(page)).toEqual(['ann@example.test'])
    await recipientInput(page).pressSequentially('bob@example.test,')
    expect(await chips(page)).toEqual(['ann@example.test', 'bob@example.test'])
    expect(await recipientInput(page).inputValue()).toBe('')
    await recipientInput(page).fill('carl@example.test')
    await recipientInput(page).blur()
    expect(await chips(page)).toEqual(['ann@example.test', 'bob@example.test', 'carl@example.test'])
    await addRecipients(page, 'ann@example.test', 'BOB@example.test', '   ', ',')
    expect(await chips(page)).toHaveLength(3)
    await page.getByText('2 duplicates ignored').waitFor()
  })

  it('may carry a name, with a comma in quotation marks', { tags: 'thorough' }, async ({ page, site }) => {
    await openComposer(page, site)
    await recipientInput(page).pressSequentially('"Keller, Ann" <ann@example.test>,')
    expect(await chips(page)).toEqual(['"Keller, Ann" <ann@example.test>'])
  })

  it('that looks wrong is marked for eyes and for screen readers, and not refused', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    await openComposer(page, site)
    await addRecipients(page, 'ann@', 'bob@example.test')
    const [wrong, right] = await page
      .getByRole('list', { name: 'Added recipients' })
      .getByRole('listitem')
      .allInnerTexts()
    expect(wrong).toContain('does not look like an email address')
    expect(right).not.toContain('does not look')
    await page.getByText('1 does not look like an email address.').waitFor()
  })

  it('is removed by the mouse, and by the keyboard alone', async ({ page, site }) => {
    await openComposer(page, site)
    await addRecipients(page, ...['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.test`))
    await button(page, 'Remove b@example.test').click()
    expect(await chips(page)).toEqual(['a', 'c', 'd', 'e'].map((name) => `${name}@example.test`))
    await eventually(() => focusedName(page)).toBe('Remove c@example.test')
    await recipientInput(page).focus()
    await page.keyboard.press('Backspace')
    await eventually(() => chips(page)).toEqual(['a', 'c', 'd'].map((name) => `${name}@example.test`))
    await page.keyboard.press('ArrowLeft')
    await eventually(() => focusedName(page)).toBe('Remove d@example.test')
    await page.keyboard.press('ArrowLeft')
    await eventually(() => focusedName(page)).toBe('Remove c@example.test')
    await page.keyboard.press('Delete')
    await eventually(() => chips(page)).toEqual(['a@example.test', 'd@example.test'])
    await eventually(() => focusedName(page)).toBe('Remove d@example.test')
    await page.keyboard.press('Backspace')
    await eventually(() => focusedName(page)).toBe('Remove a@example.test')
    await page.keyboard.press('Backspace')
    await eventually(() => chips(page)).toEqual([])
    await eventually(() => recipientInput(page).and(page.locator(':focus')).count()).toBe(1)
  })
})

describe('a list of recipients', () => {
  it('loses one by a double click, though the next one moves to its place', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    await openComposer(page, site)
    await paste(recipientInput(page), many(30).join('\n'))
    await button(page, 'Remove reader2@example.test').dblclick()
    await page.getByText('To 29 people').waitFor()
    await page.getByRole('button', { name: /more$/ }).click()
    const panel = page.getByRole('dialog', { name: 'Recipients' })
    await panel.getByRole('button', { name: 'Remove reader12@example.test' }).dblclick()
    await panel.getByText('28 shown').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('To 28 people').waitFor()
  })

  it('is pasted with commas, semicolons, lines and names', async ({ page, site }) => {
    await openComposer(page, site)
    await paste(
      recipientInput(page),
      'a@example.test, b@example.test;c@example.test\nDora <d@example.test>\r\n"Ford, Eve" <e@example.test>\nA@example.test',
    )
    await eventually(() => chips(page)).toEqual([
      'a@example.test',
      'b@example.test',
      'c@example.test',
      'Dora <d@example.test>',
      '"Ford, Eve" <e@example.test>',
    ])
    await page.getByText('1 duplicate ignored').waitFor()
  })

  it('that is long is shown folded, can be searched, looked through and weeded', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    await openComposer(page, site)
    await write(page, { to: ['not an address'] })
    await paste(recipientInput(page), many(2_000).join('\n'))
    const more = page.getByRole('button', { name: /^\+[\d,]+ more$/ })
    await more.waitFor()
    expect((await chips(page)).length).toBeLessThan(50)
    await more.click()
    const panel = page.getByRole('dialog', { name: 'Recipients' })
    await panel.getByText('2,001 shown').waitFor()
    expect(await panel.getByRole('button', { name: /^Remove / }).count()).toBeLessThan(60)
    await panel.getByLabel('Search recipients').fill('reader1999')
    await panel.getByText('1 shown').waitFor()
    await panel.getByRole('button', { name: 'Remove reader1999@example.test' }).click()
    await panel.getByText('Nobody matches.').waitFor()
    await panel.getByLabel('Search recipients').fill('')
    await panel.getByRole('button', { name: 'Look wrong (1)' }).click()
    await panel.getByText('1 shown').waitFor()
    await panel.getByRole('button', { name: 'Remove it' }).click()
    await panel.getByText('None looks wrong any more.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('To 1,999 people').waitFor()
  })

  it('is looked through by the keyboard, to its very end', { tags: 'thorough' }, async ({ page, site }) => {
    await openComposer(page, site)
    await paste(recipientInput(page), many(2_000).join('\n'))
    await page.getByRole('button', { name: /more$/ }).click()
    const panel = page.getByRole('dialog', { name: 'Recipients' })
    await panel.getByLabel('Search recipients').press('Tab')
    await eventually(() => focusedName(page)).toBe('Remove reader1@example.test')
    await page.keyboard.press('ArrowDown')
    await eventually(() => focusedName(page)).toBe('Remove reader2@example.test')
    await page.keyboard.press('End')
    await eventually(() => focusedName(page)).toBe('Remove reader2000@example.test')
    await page.keyboard.press('Delete')
    await panel.getByText('1,999 shown').waitFor()
    await eventually(() => focusedName(page)).toBe('Remove reader1999@example.test')
    await page.keyboard.press('Home')
    await eventually(() => focusedName(page)).toBe('Remove reader1@example.test')
  })

  it('is read from a CSV file, whose address column is found', async ({ page, site }) => {
    await openComposer(page, site)
    const rows = [
      'Name;E-Mail',
      'Ann;ann@example.test',
      'Bob;',
      'Ann again;ANN@example.test',
      'Eve;eve@example.test',
    ]
    await chooseFiles(page, { 'people.csv': rows.join('\r\n') })
    await eventually(() => chips(page)).toEqual(['ann@example.test', 'eve@example.test'])
    await page
      .getByText(
        '3 addresses read from people.csv · 2 added · 1 already in the list · 1 row without an address',
      )
      .waitFor()
  })

  it('is read from a text file that is dropped', { tags: 'thorough' }, async ({ page, site }) => {
    await openComposer(page, site)
    await recipientInput(page).evaluate((input) => {
      const data = new DataTransfer()
      data.items.add(new File(['a@example.test\nb@example.test'], 'list.txt', { type: 'text/plain' }))
      for (const type of ['dragover', 'drop'])
        input.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }))
    })
    await eventually(() => chips(page)).toEqual(['a@example.test', 'b@example.test'])
    await page.getByText('2 addresses read from list.txt').waitFor()
  })

  it('that has no address in it says so', { tags: 'thorough' }, async ({ page, site }) => {
    await openComposer(page, site)
    await chooseFiles(page, { 'empty.csv': 'Name,City\nAnn,Bern\n' })
    await page.getByText('There is no address in empty.csv.').waitFor()
  })

  it('ends at 100,000, and says how many found no room', { tags: 'thorough' }, async ({ page, site }) => {
    await openComposer(page, site)
    await paste(recipientInput(page), many(100_003).join('\n'))
    await page
      .getByText(
        'One email goes to at most 100,000 people, so 3 were left out. Send to the rest in another email.',
      )
      .waitFor()
    expect(await sendButton(page).isDisabled()).toBe(true)
  })

  it('that the server refuses says why, loses nothing, and leads to what was refused', async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(SEND)
    await openComposer(page, site)
    await write(page, { to: ['bob@example.test', 'ann@'], subject: 'Refused', body: 'Words' })
    await page.getByText('To 1 person · 1 address looks wrong').waitFor()
    await sendButton(page).click()
    await expectToast(page, 'Failed to Send', '400: "ann@" is not a valid e-mail address')
    expect(await chips(page)).toEqual(['bob@example.test', 'ann@'])
    expect(await field(page, 'Subject').inputValue()).toBe('Refused')
    expect(await message(page).inputValue()).toBe('Words')
    await eventually(() => button(page, 'Remove ann@').and(page.locator(':focus')).count()).toBe(1)
    await page.keyboard.press('Delete')

    // It looks right to the page, and stands where a long list is folded.
    const tooLong = `${'ä'.repeat(40)}@example.test`
    const readers = Array.from({ length: 30 }, (_, n) => `reader${n}@example.test`)
    await paste(recipientInput(page), readers.toSpliced(15, 0, tooLong).join('\n'))
    await page.getByText('To 32 people').waitFor()
    await sendButton(page).click()
    const panel = page.getByRole('dialog', { name: 'Recipients' })
    await panel.getByText('31 people get this email, 1 address looks wrong.').waitFor()
    await eventually(() => panel.getByRole('listitem').filter({ hasText: '@' }).count()).toBe(1)
    await button(page, `Remove ${tooLong}`).click()
    await page.keyboard.press('Escape')
    await sendButton(page).click()
    await expectToast(page, 'Email Sent', 'Successfully sent to 31 recipient(s)')
  })
})

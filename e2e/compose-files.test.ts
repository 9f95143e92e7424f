import { describe, expect } from 'vitest'
import { chips, chooseFiles, openComposer, sendButton, write } from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { field } from './steps.ts'
import { expectToast } from './toasts.ts'

describe('several files of addresses', () => {
  it('are each told of, first those that could not be read, until the email is sent', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    await openComposer(page, site)
    await write(page, { to: [] })
    await chooseFiles(page, {
      'first.csv': 'a@example.test\nb@example.test',
      'nobody.csv': 'Name,City\nAnn,Bern\n',
      'strange.csv': 'a\0@\0x',
      'last.csv': 'b@example.test\nc@example.test',
    })
    const note = field(page, 'Recipients').locator('xpath=../..').getByRole('status')
    await eventually(() => note.locator('span').allInnerTexts()).toEqual([
      'There is no address in nobody.csv.',
      'strange.csv is not a text. Please save the list as CSV.',
      '2 addresses read from first.csv',
      '2 addresses read from last.csv · 1 added · 1 already in the list',
    ])
    expect(await chips(page)).toEqual(['a@example.test', 'b@example.test', 'c@example.test'])
    await sendButton(page).click()
    await expectToast(page, 'Email Sent', 'Successfully sent to 3 recipient(s)')
    await eventually(() => note.innerText()).toBe('')
  })
})

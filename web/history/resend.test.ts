import { expect, it } from 'vitest'
import { resendData } from './resend.ts'

const LETTER = { subject: 'News', body: 'Hello', senderName: 'Ann', replyTo: 'ann@example.test' }

it('hands over the mail and everybody it went to', () => {
  const recipients = ['bob@example.test', 'eve@example.test']
  expect(resendData({ id: 'c1', ...LETTER, recipients, recipientCount: 2 })).toEqual({
    ...LETTER,
    recipients,
  })
})

it('names the campaign where there are more than it carries', () => {
  const recipients = Array.from({ length: 100 }, (_, index) => `r${index}@example.test`)
  expect(resendData({ id: 'c1', ...LETTER, recipients, recipientCount: 101 })).toEqual({
    ...LETTER,
    recipients,
    campaignId: 'c1',
  })
})

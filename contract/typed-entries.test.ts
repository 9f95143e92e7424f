import { describe, expect, it } from 'vitest'
import { SendEmailRequest } from './campaigns.ts'
import { SaveDraftRequest } from './drafts.ts'
import { AddSuppressionsRequest, CheckSuppressionsRequest } from './suppressions.ts'
import { RECIPIENT_MAX, RECIPIENTS_MAX } from './typed-entries.ts'

const LETTER = { subject: 'News', body: '', senderName: '', replyTo: '' }

describe.each([
  ['a send', SendEmailRequest, 'recipients', LETTER],
  ['a draft', SaveDraftRequest, 'recipients', LETTER],
  ['additions to the list', AddSuppressionsRequest, 'addresses', {}],
  ['a question about the list', CheckSuppressionsRequest, 'recipients', {}],
] as const)('the entries of %s', (_name, schema, field, others) => {
  const complaints = (entries: unknown) =>
    schema.safeParse({ ...others, [field]: entries }).error?.issues.map(({ code, path }) => ({ code, path }))

  it('are all taken, as they were typed', () => {
    const entries = Array.from({ length: RECIPIENTS_MAX }, (_, n) => ` p${n}@example.com`)
    expect(schema.parse({ ...others, [field]: entries })).toMatchObject({ [field]: entries })
  })

  it('bring one complaint, about the first that is wrong, however many are', () => {
    const wrong = Array.from({ length: RECIPIENTS_MAX - 1 }, () => 1)
    expect(complaints(['ann@example.com', ...wrong])).toEqual([{ code: 'invalid_type', path: [field, 1] }])
    const long = 'x'.repeat(RECIPIENT_MAX + 1)
    expect(complaints(['ann@example.com', long, long])).toEqual([{ code: 'too_big', path: [field, 1] }])
  })

  it('are not looked at one by one when there are too many', () => {
    const many = Array.from({ length: RECIPIENTS_MAX + 1 }, () => 'ann@example.com')
    expect(complaints(many)).toEqual([{ code: 'too_big', path: [field] }])
  })

  it('are a list', () => {
    for (const other of ['ann@example.com', { 0: 'ann@example.com' }, null, undefined, 5])
      expect(complaints(other)).toEqual([{ code: 'invalid_type', path: [field] }])
  })
})

import { expect, it } from 'vitest'
import { BODY_MAX } from '../../contract/campaigns.ts'
import { EMPTY_FORM, errorsOf, isSame } from './template-form.ts'

const FILLED = { name: 'Welcome', subject: 'Hello', body: 'Line 1' }

it('asks for a name and a subject, of more than spaces, and for no message', () => {
  expect(errorsOf({ ...FILLED, body: '' })).toEqual({})
  expect(errorsOf({ ...FILLED, name: ' ', subject: '\t' })).toEqual({
    name: 'Please enter a name for your template',
    subject: 'Please enter a subject',
  })
})

it('takes a message up to the limit', () => {
  expect(errorsOf({ ...FILLED, body: 'x'.repeat(BODY_MAX) })).toEqual({})
  expect(errorsOf({ ...FILLED, body: 'x'.repeat(BODY_MAX + 1) })).toEqual({
    body: '100,001 characters are too many: 100,000 fit',
  })
})

it('knows whether anything has been changed', () => {
  expect(isSame(FILLED, { ...FILLED })).toBe(true)
  expect(isSame(FILLED, { ...FILLED, body: '' })).toBe(false)
  expect(isSame(EMPTY_FORM, { ...EMPTY_FORM, name: 'x' })).toBe(false)
})

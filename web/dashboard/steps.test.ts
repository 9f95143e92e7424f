import { expect, it } from 'vitest'
import { currentStep } from './steps.ts'

it('begins with the sender information, and goes on once both parts are there', () => {
  expect(currentStep(undefined)).toBe(0)
  expect(currentStep({ fromName: '', fromEmail: '' })).toBe(0)
  expect(currentStep({ fromName: 'Ann', fromEmail: '' })).toBe(0)
  expect(currentStep({ fromName: ' ', fromEmail: 'ann@example.test' })).toBe(0)
  expect(currentStep({ fromName: 'Ann', fromEmail: 'ann@example.test' })).toBe(1)
})

import { expect, it } from 'vitest'
import { RegisterResponse, Session } from '../../contract/auth.ts'
import { readRegistration, readSession } from './auth-answers.ts'

const ANSWERS = [
  null,
  'text',
  [],
  {},
  { user: null },
  { user: { id: 'u1' } },
  { user: { id: 1, email: 'ann@example.test' } },
  { user: { id: 'u1', email: 'ann@example.test' } },
  { user: { id: 'u1', email: 'ann@example.test', more: true }, more: true },
  { userId: 7 },
  { userId: 'u1' },
]

const outcomeOf = (read: () => unknown): unknown => {
  try {
    return read()
  } catch {
    return 'not understood'
  }
}

it.each(ANSWERS)('reads %j exactly as the contract does', (answer) => {
  expect(outcomeOf(() => readSession(answer))).toEqual(outcomeOf(() => Session.parse(answer)))
  expect(outcomeOf(() => readRegistration(answer))).toEqual(outcomeOf(() => RegisterResponse.parse(answer)))
})

import type { RegisterResponse, Session } from '../../contract/auth.ts'

/*
 * What the contract says of these two answers, looked at by hand: they are read before anybody is signed in, and the
 * contract's parser is a fifth of all that the sign-in screen may weigh. What is not understood is thrown, as there.
 */

export function readSession(answer: unknown): Session {
  const user = partOf(answer, 'user')
  return { user: { id: textOf(user, 'id'), email: textOf(user, 'email') } }
}

export const readRegistration = (answer: unknown): RegisterResponse => ({ userId: textOf(answer, 'userId') })

function textOf(whole: unknown, name: string): string {
  const part = partOf(whole, name)
  if (typeof part !== 'string') throw new TypeError(`the answer holds no text "${name}"`)
  return part
}

function partOf(whole: unknown, name: string): unknown {
  if (typeof whole !== 'object' || whole === null) throw new TypeError(`the answer holds no "${name}"`)
  return Reflect.get(whole, name)
}

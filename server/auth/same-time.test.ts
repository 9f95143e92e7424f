import { afterAll, beforeAll, expect, it } from 'vitest'
import { anAccount, anAddress, PASSWORD, register } from '../test/accounts.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { expectSameTime } from '../test/same-time.ts'

let running: RunningApp
let known: string
beforeAll(async () => {
  running = await aRunningApp({}, { isCostly: true })
  known = (await anAccount(running)).email
})
afterAll(() => running[Symbol.asyncDispose]())

const post = (path: string, body: object) => running.browser().post(`/api/auth/${path}`, body)

const CALLS: Record<string, (email: string) => Promise<() => Promise<unknown>>> = {
  login: async (email) => {
    // Who is refused for having tried too often is refused at once, and would hide a difference.
    await running.db.deleteFrom('rate_buckets').execute()
    return async () =>
      expect(await post('login', { email, password: 'not the password' })).toMatchObject({ status: 401 })
  },
  register: async (email) => () => post('register', { email, password: PASSWORD }),
  'forgot-password': async (email) => () => post('forgot-password', { email }),
  'resend-verification': async (email) => {
    const userId = await register(running.browser(), email)
    return () => post('resend-verification', { userId })
  },
  verify: async (email) => {
    const userId = await register(running.browser(), email)
    // Until its code is there; it is made for known addresses too, and mailed to nobody.
    await running.settled()
    return () => post('verify', { userId, code: '000000' })
  },
}

it.each(Object.keys(CALLS))('takes the same time for known and unknown addresses: %s', async (name) => {
  const prepared = (address: () => string) => async () => {
    // Allowances of mails are not what is compared here.
    await running.db.deleteFrom('auth_mails').execute()
    const call = await CALLS[name]?.(address())
    await running.settled()
    return () => call?.() ?? Promise.resolve()
  }
  await expectSameTime(
    prepared(() => known),
    prepared(() => anAddress()),
  )
})

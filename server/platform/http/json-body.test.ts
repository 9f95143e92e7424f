import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser, type SignedIn } from '../../test/accounts.ts'
import { aRunningApp, type RunningApp } from '../../test/running-app.ts'

const PUBLIC_URL = 'https://post.example.test'
let running: RunningApp
let ann: SignedIn
beforeAll(async () => {
  running = await aRunningApp({ PUBLIC_URL })
  ann = await aUser(running)
})
afterAll(() => running[Symbol.asyncDispose]())

const MANY = 300_000
const post = (payload: string) =>
  ann.browser.send({
    method: 'POST',
    path: '/api/send-email',
    payload,
    headers: { 'content-type': 'application/json', origin: PUBLIC_URL },
  })

describe('a body', () => {
  it.each([
    ['numbers', `[${'1,'.repeat(MANY)}1]`],
    ['empty texts', `{"recipients":[${'"",'.repeat(MANY)}""]}`],
    ['fields', `{${Array.from({ length: MANY }, (_, n) => `"${n}":1`).join()}}`],
    ['lists in lists', '['.repeat(MANY) + ']'.repeat(MANY)],
    ['objects in objects', '{"a":'.repeat(MANY) + '}'.repeat(MANY)],
    ['texts that end in a backslash', `[${'"\\\\",'.repeat(MANY)}""]`],
  ])('of %s without number is refused before it is read', async (_what, payload) => {
    expect(await post(payload)).toMatchObject({ status: 413, text: 'The request has too many entries' })
  })

  it('may have any number of signs in its texts', async () => {
    const words = { subject: '[{:,"\\,', body: '[{:,"\\,'.repeat(12_000) }
    const recipients = Array.from({ length: 30_000 }, (_, n) => `"a, [b]: {${n}}" <p${n}@example.test>`)
    const answer = await ann.browser.post('/api/suppressions/check', { recipients })
    expect(answer).toMatchObject({ status: 200, text: '{"suppressed":[]}' })
    expect(await post(JSON.stringify({ ...words, recipients: ['p@example.test'] }))).toMatchObject({
      status: 200,
    })
  })

  it('with more entries than a list takes is refused in words', async () => {
    const recipients = Array.from({ length: 100_001 }, () => 'a@x.test')
    expect(await post(JSON.stringify({ recipients, subject: 'News', body: '' }))).toMatchObject({
      status: 413,
      text: 'One request takes at most 100,000 recipients; please send the rest in another one',
    })
  })
  it('that has another length than it announces is refused in words', async () => {
    for (const length of [5, 500, 50_000])
      expect(
        await ann.browser.send({
          method: 'POST',
          path: '/api/send-email',
          payload: '{"recipients":[]}',
          headers: { 'content-type': 'application/json', 'content-length': `${length}`, origin: PUBLIC_URL },
        }),
      ).toMatchObject({ status: 400, text: 'The request body does not have the length it announced' })
  })
})

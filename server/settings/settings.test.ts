import { afterAll, beforeAll, expect, it } from 'vitest'
import { REPLACED_SENDER_HEADER } from '../../contract/settings.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
let ann: SignedIn
beforeAll(async () => {
  running = await aRunningApp()
  ann = await aUser(running)
})
afterAll(() => running[Symbol.asyncDispose]())

const read = async (user = ann): Promise<unknown> => (await user.browser.get('/api/settings')).json()
const save = (body: unknown, user = ann) => user.browser.post('/api/settings', body)

it('are empty before anything was saved, and the product’s own provider', async () => {
  expect(await read()).toMatchObject({ provider: 'resend', fromName: '', fromEmail: '' })
})

it('come back as they were saved, without the blanks around them', async () => {
  const answer = await save({
    provider: 'resend',
    fromName: '  Zoë "the" Owner ',
    fromEmail: ' Zoe@Example.test ',
  })
  expect(answer.status).toBe(200)
  expect(await read()).toMatchObject({ fromName: 'Zoë "the" Owner', fromEmail: 'Zoe@Example.test' })
  await save({ fromName: 'Second', fromEmail: '' })
  expect(await read()).toMatchObject({ fromName: 'Second', fromEmail: '' })
})

it('are not set back by a form that was begun before they were changed', async () => {
  const [before, now] = [
    { fromName: 'Zoë', fromEmail: 'zoe@example.test', sendFromOwnAddress: false },
    { fromName: 'Zoë', fromEmail: 'new@example.test', sendFromOwnAddress: false },
  ]
  await save({ fromName: now.fromName, fromEmail: now.fromEmail })
  const saveKnowing = (known: string, body: object) =>
    ann.browser.post('/api/settings', body, { [REPLACED_SENDER_HEADER]: known })
  const written = (known: object) => encodeURIComponent(JSON.stringify(known))
  const late = { fromName: 'Zoë', fromEmail: before.fromEmail, trackOpens: false }
  expect(await saveKnowing(written(before), late)).toMatchObject({
    status: 409,
    text: 'Your sender information was changed meanwhile and is not the one that this form began with. Nothing was saved; look at the settings and save again',
  })
  expect(await read()).toMatchObject({ ...now, trackOpens: true })
  // What is stored already, and what nobody else has touched, is no reason to refuse.
  expect((await saveKnowing(written(before), { fromName: 'Ann', fromEmail: now.fromEmail })).status).toBe(200)
  expect(await read()).toMatchObject({ fromName: 'Ann', fromEmail: now.fromEmail })
  expect((await saveKnowing(written({ ...now, fromName: 'Ann' }), late)).status).toBe(200)
  expect(await read()).toMatchObject({ fromEmail: before.fromEmail, trackOpens: false })
  for (const nonsense of ['%', 'null', '%7B%7D'])
    expect((await saveKnowing(nonsense, { fromName: 'Zoë', fromEmail: '', trackOpens: true })).status).toBe(
      200,
    )
})

it('are each user’s own', async () => {
  const eve = await aUser(running)
  await save({ fromName: 'Ann', fromEmail: 'ann@example.test' })
  expect(await read(eve)).toMatchObject({ fromName: '', fromEmail: '' })
  await save({ fromName: 'Eve', fromEmail: 'eve@example.test' }, eve)
  expect(await read()).toMatchObject({ fromName: 'Ann', fromEmail: 'ann@example.test' })
})

it.each([
  ['a name with a line break', { fromName: 'Ann\r\nBcc: eve@evil.test', fromEmail: '' }],
  ['a name with U+0085', { fromName: 'Ann\u0085x', fromEmail: '' }],
  ['a name with U+2028', { fromName: 'Ann\u2028x', fromEmail: '' }],
  ['a name with NUL', { fromName: 'Ann\0x', fromEmail: '' }],
  ['a name that is a list', { fromName: ['Ann'], fromEmail: '' }],
  ['a name of 201 characters', { fromName: 'x'.repeat(201), fromEmail: '' }],
  ['an address that is none', { fromName: '', fromEmail: 'not an address' }],
  ['two addresses', { fromName: '', fromEmail: 'a@x.test, b@x.test' }],
  ['an address with a name', { fromName: '', fromEmail: 'Ann <a@x.test>' }],
  ['an address with a line break', { fromName: '', fromEmail: 'a@x.test\r\nx' }],
  ['a provider that there is not', { provider: 'pigeon', fromName: '', fromEmail: '' }],
  ['a field that there is not', { fromName: '', fromEmail: '', userId: 'x' }],
])('refuse %s in one sentence and keep what was there', async (_, body) => {
  await save({ fromName: 'Kept', fromEmail: 'kept@example.test' })
  const answer = await save(body)
  expect(answer.status).toBe(400)
  expect(answer.text).toMatch(/^[A-Z][^\r\n]{10,}$/)
  expect(await read()).toMatchObject({ fromName: 'Kept', fromEmail: 'kept@example.test' })
})

it.each([
  { smtpHost: 'mail.example.com' },
  { smtpPort: 587 },
  { smtpUser: 'ann' },
  { smtpPassword: 'x' },
  { apiKey: 'SG.x' },
])('refuse credentials that name no provider, rather than leave them out: %j', async (credentials) => {
  await save({ fromName: 'Kept', fromEmail: 'kept@example.test' })
  expect(await save({ fromName: 'Ann', fromEmail: '', ...credentials })).toMatchObject({
    status: 400,
    text: 'Please name the provider that these credentials are for',
  })
  expect(await read()).toMatchObject({ fromName: 'Kept', fromEmail: 'kept@example.test' })
})

it('need a session', async () => {
  const nobody = { ...ann, browser: running.browser() }
  expect((await nobody.browser.get('/api/settings')).status).toBe(401)
  expect((await save({ fromName: '', fromEmail: '' }, nobody)).status).toBe(401)
})

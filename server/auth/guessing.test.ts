import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anAccount, anAddress, PASSWORD, register } from '../test/accounts.ts'
import { from, someAddress } from '../test/callers.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
beforeAll(async () => {
  running = await aRunningApp({ PUBLIC_URL: 'https://post.example.test', LOCAL_MAILBOX: 'on' })
})
afterAll(() => running[Symbol.asyncDispose]())

const DEVICE = '__Host-postrider_device'
const login = (email: string, password: string, browser = running.browser(from(someAddress()))) =>
  browser.post('/api/auth/login', { email, password })

describe('guessing passwords', () => {
  it('is slowed down for the guesser, and the owner still gets in', async () => {
    const { email, browser } = await anAccount(running)
    const attacker = someAddress()
    const statuses: number[] = []
    // Twenty-five at a time, as whoever guesses would do it.
    for (let guess = 0; guess < 1000; guess += 25) {
      const answers = await Promise.all(
        Array.from({ length: 25 }, (_, n) =>
          login(email, `guess ${guess + n}`, running.browser(from(attacker))),
        ),
      )
      statuses.push(...answers.map(({ status }) => status))
    }
    // What the attacker was allowed: the burst, and what trickled back meanwhile.
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(20)
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    // From the browser that knows the account, at the attacker's own address even; and from anywhere else.
    await browser.post('/api/auth/logout', {})
    expect(await login(email, PASSWORD, browser)).toMatchObject({ status: 200 })
    expect(await login(email, PASSWORD)).toMatchObject({ status: 200 })
  })

  it('from many addresses does not keep the owner out of a browser that knows the account', async () => {
    const { email, browser } = await anAccount(running)
    const statuses: number[] = []
    for (let guess = 0; guess < 80; guess++) statuses.push((await login(email, `guess ${guess}`)).status)
    expect(statuses).toContain(429)
    const refused = await login(email, PASSWORD)
    expect(refused.status).toBe(429)
    expect(refused.text).toMatch(/^Too many attempts\. Please wait \d+ seconds? and try again$/)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(20)
    expect(await login(email, PASSWORD, browser)).toMatchObject({ status: 200 })
  })

  it('gets no fresh attempts by the password of a registration of one’s own, whether there is an account or not', async () => {
    const { email: known } = await anAccount(running)
    for (const email of [known, anAddress()]) {
      const attacker = running.browser(from(someAddress()))
      await register(attacker, email, 'a password of my own')
      const statuses: number[] = []
      for (let guess = 0; guess < 60; guess++)
        statuses.push((await login(email, guess % 2 ? 'guess' : 'a password of my own', attacker)).status)
      // The burst, and what trickled back meanwhile: the account's own allowance is for others.
      expect(statuses.filter((status) => status !== 429).length).toBeLessThan(20)
    }
    expect(await login(known, PASSWORD)).toMatchObject({ status: 200 })
  })

  it('is not helped by a forged or foreign device cookie', async () => {
    const victim = await anAccount(running)
    const other = await anAccount(running)
    const device = other.browser.cookies.get(DEVICE) ?? ''
    const attacker = running.browser(from(someAddress()))
    const statuses: number[] = []
    for (let guess = 0; guess < 15; guess++) {
      attacker.cookies.set(DEVICE, guess % 2 ? device : `forged${guess}.c2ln`)
      statuses.push((await login(victim.email, 'guess', attacker)).status)
    }
    expect(statuses.at(-1)).toBe(429)
  })

  it('cannot be steered into the bucket of another account by a clever address', async () => {
    const { email } = await anAccount(running)
    const owner = someAddress()
    for (let guess = 0; guess < 15; guess++) {
      await login(`${email} from ${owner}`, 'guess')
      await login(`${email}","${owner}`, 'guess')
    }
    expect(await login(email, PASSWORD, running.browser(from(owner)))).toMatchObject({ status: 200 })
  })

  it('counts a whole IPv6 network as one caller, and a port after the address as nothing', async () => {
    const { email } = await anAccount(running)
    const statuses: number[] = []
    for (let guess = 0; guess < 15; guess++)
      statuses.push((await login(email, 'guess', running.browser(from(`2600:3c00::${guess}:1:2:3`)))).status)
    expect(statuses.at(-1)).toBe(429)
    const other = await anAccount(running)
    for (let guess = 0; guess < 15; guess++)
      statuses.push(
        (await login(other.email, 'guess', running.browser(from(`198.18.0.1:${4000 + guess}`)))).status,
      )
    expect(statuses.at(-1)).toBe(429)
  })

  it('does not get fresh attempts by signing in again, nor by a device from before a reset', async () => {
    const { email, browser } = await anAccount(running)
    const device = browser.cookies.get(DEVICE)
    await login(email, PASSWORD, browser)
    expect(browser.cookies.get(DEVICE)).toBe(device)
    await running.browser().post('/api/auth/forgot-password', { email })
    const token = (await running.mails.link(email, '/reset-password', 2)).searchParams.get('token')
    await running.browser().post('/api/auth/reset-password', { token, password: 'quite another phrase' })
    await login(email, 'quite another phrase', browser)
    expect(browser.cookies.get(DEVICE)?.split('.')[0]).not.toBe(device?.split('.')[0])
  })

  it('is not reset by a client that writes its own X-Forwarded-For', async () => {
    const { email } = await anAccount(running)
    const statuses: number[] = []
    for (let guess = 0; guess < 15; guess++)
      statuses.push(
        (await login(email, 'guess', running.browser(from(`203.0.113.${guess}, 192.0.2.7`)))).status,
      )
    expect(statuses.at(-1)).toBe(429)
  })
})

import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, test as vitestTest } from 'vitest'
import { createPasswords } from '../server/auth/passwords.ts'
import { sessionCookieName } from '../server/platform/http/security.ts'
import { hashToken, randomToken } from '../server/platform/secrets.ts'
import { anAddress, PASSWORD, register } from '../server/test/accounts.ts'
import type { Browser as ApiClient } from '../server/test/browser.ts'
import { createPatience } from '../server/test/until.ts'
import { FOR_SHORT_VISITS, launchChromium } from './chromium.ts'
import { aSite, type Site } from './site.ts'
import { rememberToasts } from './toast-memory.ts'
import { type Watch, watch } from './watch.ts'

export { anAddress, PASSWORD } from '../server/test/accounts.ts'

export const DESKTOP = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }
/** Where a browser is that was opened and has been nowhere. */
const NO_PAGE = 'about:blank'

/** An account that exists, and a session of its own for whoever asks. */
export type Member = {
  email: string
  userId: string
  signIn(context: BrowserContext): Promise<void>
  /** On a page that may show another account: what it still asked for as that one would be refused, in its console. */
  signInOn(page: Page): Promise<void>
  /** Signed in too, for what a journey only needs to have happened. */
  client(): Promise<ApiClient>
}

type Fixtures = {
  $worker: { browser: Browser }
  $file: { site: Site; member: Member }
  $test: {
    context: BrowserContext
    page: Page
    memberPage: Page
    expectRefusal: Watch['expectRefusal']
    allowRefusal: Watch['allowRefusal']
    allowAbsence: Watch['allowAbsence']
    allowHost: Watch['allowHost']
    watched: Watch & { context: BrowserContext }
  }
}

/**
 * A test of a journey. Asks for what it needs by name: `page` is a visitor's browser, `memberPage` the same browser
 * signed in. Every test has a browser context of its own, and fails on anything that `watch` has to complain about.
 */
export const test = vitestTest.extend<Fixtures>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture needs
    async ({}, use) => {
      const browser = await launchChromium(FOR_SHORT_VISITS)
      await use(browser)
      await browser.close()
    },
    // A browser starts slowly, and nothing of a journey is left in it: each has a context of its own.
    { scope: 'worker' },
  ],
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      await using site = await aSite()
      await use(site)
    },
    { scope: 'file' },
  ],
  member: [async ({ site }, use) => use(await signedUp(site)), { scope: 'file' }],

  watched: async ({ browser, site, task }, use) => {
    const context = await browser.newContext({
      baseURL: site.origin,
      viewport: DESKTOP,
      locale: 'en-US',
      // What moves is drawn sixty times a second; motion has journeys of its own.
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(PATIENCE_MS)
    await rememberToasts(context)
    const watching = watch(context, site.origin)
    await use({ ...watching, context })

    const complaints = [...(await watching.complaints()), ...site.takeErrors()]
    const hasFailed = complaints.length > 0 || task.result?.state === 'fail'
    const evidence = hasFailed ? await takeEvidence(context, `failed ${task.fullTestName}`) : []
    const unanswered = watching.unanswered()
    await context.close()
    if (hasFailed)
      throw new Error(
        [
          `unnoticed while the test ran: ${complaints.join('\n') || 'nothing'}`,
          `without an answer at its end: ${unanswered.join(', ') || 'nothing'}`,
          ...evidence,
        ].join('\n'),
      )
  },
  context: async ({ watched }, use) => use(watched.context),
  expectRefusal: async ({ watched }, use) => use(watched.expectRefusal),
  allowRefusal: async ({ watched }, use) => use(watched.allowRefusal),
  allowAbsence: async ({ watched }, use) => use(watched.allowAbsence),
  allowHost: async ({ watched }, use) => use(watched.allowHost),
  page: async ({ context }, use) => use(await context.newPage()),
  memberPage: async ({ context, page, member }, use) => {
    await member.signIn(context)
    await use(page)
  },
})

/** Journeys spend most of their time waiting for each other's processes, so a few of a file go at once. */
export const journey = test.concurrent

/** By the clock on the wall, which goes on while the machine stands still; no promise is measured by it. */
export const PATIENCE_MS = 120_000

/** Looks again and again until what is expected holds: `await eventually(() => …).toBe(…)`. */
export function eventually<T>(read: () => T | Promise<T>) {
  const until = async (check: (found: T) => void): Promise<void> => {
    const patience = createPatience(PATIENCE_MS)
    for (;;) {
      try {
        return check(await read())
      } catch (error) {
        // Also when it could not be read: a page that is just being replaced has no answer.
        if (patience.isOver()) throw error
        await patience.pause()
      }
    }
  }
  return {
    toBe: (expected: T) => until((found) => expect(found).toBe(expected)),
    toEqual: (expected: T) => until((found) => expect(found).toEqual(expected)),
    toContain: (expected: unknown) => until((found) => expect(found).toContain(expected)),
    toMatchObject: (expected: object) => until((found) => expect(found).toMatchObject(expected)),
  }
}

/** Somebody who has signed up as people do, with the mails of it. */
export async function signedUp(site: Site, email = anAddress('member')): Promise<Member> {
  const userId = await register(site.client(), email)
  const code = await site.mails.code(email)
  const verified = await site.client().post('/api/auth/verify', { userId, code })
  expect(verified.status, verified.text).toBe(200)
  return memberOf(site, { userId, email })
}

let passwordHash: Promise<string> | undefined

/** Somebody whose account is simply there: most journeys begin after signing up, which takes its time on purpose. */
export async function aMember(site: Site, email = anAddress('member')): Promise<Member> {
  passwordHash ??= createPasswords().hash(PASSWORD, 'journeys')
  const userId = randomUUID()
  await site.db
    .insertInto('users')
    .values({ id: userId, email, email_key: email.toLowerCase(), password_hash: await passwordHash })
    .execute()
  return memberOf(site, { userId, email })
}

function memberOf(site: Site, { userId, email }: { userId: string; email: string }): Member {
  // One of its own each time: to sign in again would end the session that another test is using.
  const client = async () => {
    const token = randomToken()
    const signedIn = site.client()
    await site.db
      .insertInto('sessions')
      .values({ token_hash: hashToken(token), user_id: userId })
      .execute()
    signedIn.cookies.set(sessionCookieName(new URL(site.origin)), token)
    return signedIn
  }
  const signIn = async (context: BrowserContext) => takeCookies(await client(), context, site.origin)
  return {
    email,
    userId,
    client,
    signIn,
    signInOn: async (page) => {
      if (page.url() !== NO_PAGE) await page.goto(NO_PAGE)
      await signIn(page.context())
    },
  }
}

async function takeCookies(client: ApiClient, context: BrowserContext, origin: string): Promise<void> {
  const cookies = [...client.cookies].map(([name, value]) => ({ name, value, url: origin }))
  await context.addCookies(cookies.map((cookie) => ({ ...cookie, httpOnly: true, sameSite: 'Strict' })))
}

const FOLDER = fileURLToPath(new URL('../test-results/screenshots', import.meta.url))

/** Kept when SCREENSHOTS=1 asks for pictures, for looking at; of a failed test in any case. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] === '1') await takePicture(page, name)
}

/** A picture for whoever sits at this machine, and words for whoever only reads how it failed. */
const takeEvidence = (context: BrowserContext, name: string): Promise<string[]> =>
  Promise.all(
    context.pages().map(async (page, index) => {
      const [words, focused] = await Promise.allSettled([
        page.locator('body').innerText({ timeout: 5_000 }),
        page.locator(':focus').evaluate(({ outerHTML }) => outerHTML, undefined, { timeout: 1_000 }),
        takePicture(page, index === 0 ? name : `${name} ${index + 1}`),
      ])
      return [
        `at ${page.url()} the focus is on: ${focused.status === 'fulfilled' ? focused.value.slice(0, 300) : 'nothing'}`,
        `the page says: ${words.status === 'fulfilled' ? words.value.slice(0, 1_000) : String(words.reason)}`,
      ].join('\n')
    }),
  )

async function takePicture(page: Page, name: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  const file = name.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 150)
  await page.screenshot({ path: join(FOLDER, `${file}.png`), timeout: 10_000 })
}

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { hashToken, randomToken } from '../server/platform/secrets.ts'
import { type Ground, startPostrider } from './ground.ts'

/** Where everybody begins. */
const SIGN_IN = '/sign-in'
const SIGNED_OUT = [
  SIGN_IN,
  '/sign-up',
  '/forgot-password',
  '/verify-email?userId=00000000-0000-4000-8000-000000000000',
  '/reset-password?token=unknown',
]
const SIGNED_IN = ['/', '/inbox', '/compose', '/templates', '/history', '/suppressions', '/settings']
/** Of so many cold loads the middle one counts. */
const LOADS = 3

type WebFigures = {
  /** All JavaScript that the sign-in screen loads, gzipped, in thousands of bytes. */
  signInKb: number
}

type Script = { name: string; bytes: number }
type Screen = { path: string; scripts: Script[]; lcpMs: number }

/** What a browser loads for each screen, and when its largest part is painted: cold, with an empty account behind it. */
export async function measureWeb(ground: Ground, say: (text: string) => void): Promise<WebFigures> {
  await promisify(execFile)(process.execPath, ['scripts/setup.mjs', '--web'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  })
  const databaseUrl = await ground.database()
  const postrider = await startPostrider(databaseUrl, ground.sinkPort, { roles: 'web' })
  const browser = await launchChromium()
  try {
    const token = await aSession(databaseUrl)
    const signedOut = await measureAll(browser, postrider.url, SIGNED_OUT, null)
    const signedIn = await measureAll(browser, postrider.url, SIGNED_IN, token)
    for (const group of [signedOut, signedIn]) report(group, say)
    const signIn = signedOut.find(({ path }) => path === SIGN_IN)
    return { signInKb: sum(signIn?.scripts ?? []) / 1000 }
  } finally {
    await browser.close()
    await postrider.stop()
  }
}

/** A line for each screen: when it is painted, what it loads, and which part of that is its own. */
function report(screens: readonly Screen[], say: (text: string) => void): void {
  for (const { path, scripts, lcpMs } of screens) {
    const others = screens.filter((other) => other.path !== path)
    const own = scripts.filter(({ name }) =>
      others.every((other) => other.scripts.every((script) => script.name !== name)),
    )
    // Sign-in comes with the frame of all screens before it, and has nothing that the others do not bring along.
    if (own.length === 0 && path !== SIGN_IN) throw new Error(`${path} has no chunk of its own`)
    const chunks = own.map(({ name, bytes }) => `${name} ${kb(bytes)}`).join(', ')
    say(
      `  ${path.split('?')[0]}: painted after ${Math.round(lcpMs)} ms, ${kb(sum(scripts))} of JavaScript, its own: ${chunks || 'none'}`,
    )
  }
}

async function measureAll(
  browser: Browser,
  origin: string,
  paths: readonly string[],
  token: string | null,
): Promise<Screen[]> {
  const screens: Screen[] = []
  for (const path of paths) {
    const loads: Screen[] = []
    for (let load = 0; load < LOADS; load++) loads.push(await measureOne(browser, origin, path, token))
    loads.sort((one, other) => one.lcpMs - other.lcpMs)
    const middle = loads[Math.floor(LOADS / 2)]
    if (middle) screens.push(middle)
  }
  return screens
}

async function measureOne(
  browser: Browser,
  origin: string,
  path: string,
  token: string | null,
): Promise<Screen> {
  // A context of its own each time: nothing is in its cache.
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 800 } })
  if (token) await context.addCookies([{ name: 'postrider_session', value: token, url: origin }])
  const page = await context.newPage()
  const bodies: Promise<Script>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    bodies.push(
      response.body().then((body) => ({ name: nameOf(response.url()), bytes: gzipSync(body).length })),
    )
  })
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).and(page.locator(':not(.sr-only)')).waitFor()
  const lcpMs = await paintedAfter(page)
  const scripts = await Promise.all(bodies)
  await context.close()
  return { path, scripts, lcpMs }
}

/** As Chromium measures it. The page is given half a second of rest, in which nothing larger must appear. */
async function paintedAfter(page: Page): Promise<number> {
  const script = `new Promise((resolve) => {
    let last = 0
    let rest
    const settle = () => { clearTimeout(rest); rest = setTimeout(() => resolve(last), 500) }
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) last = startTime
      settle()
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    settle()
  })`
  return page.evaluate<number>(script)
}

/** A session of the one account that there is. */
async function aSession(databaseUrl: string): Promise<string> {
  const token = randomToken()
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('insert into sessions (token_hash, user_id) select $1, id from users', [
    hashToken(token),
  ])
  await client.end()
  return token
}

/** "templates-page" of /assets/templates-page-B2f9xQ0a.js */
const nameOf = (url: string): string =>
  (new URL(url).pathname.split('/').at(-1) ?? '').replace(/(-[\w-]{8})?\.js$/, '')
const sum = (scripts: readonly Script[]): number => scripts.reduce((total, { bytes }) => total + bytes, 0)
const kb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`

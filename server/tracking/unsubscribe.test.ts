import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anAddress, aUser, type SignedIn } from '../test/accounts.ts'
import { send } from '../test/campaigns.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'
import {
  aTrackedCampaign,
  FORM_TYPE,
  ONE_CLICK,
  oneClick,
  postForm,
  type TrackedMail,
  tampered,
} from '../test/tracked-mails.ts'

let running: RunningApp
let ann: SignedIn
beforeAll(async () => {
  running = await aRunningApp({ PUBLIC_URL: 'https://post.example.test', LOCAL_MAILBOX: 'on' })
  ann = await aUser(running)
})
afterAll(async () => {
  await expectCountsToAddUp(running.db)
  await running[Symbol.asyncDispose]()
})

async function twoMails(parts: Record<string, unknown> = {}): Promise<[TrackedMail, TrackedMail]> {
  const [one, other] = await aTrackedCampaign(running, ann, [anAddress('bob'), anAddress('eve')], parts)
  if (!one || !other) throw new Error('no mails')
  return [one, other]
}

const look = (path: string, method = 'GET') => running.browser().send({ method, path })

async function suppressed(user = ann): Promise<Record<string, string>> {
  const rows = await running.db
    .selectFrom('suppressions')
    .select(['address', 'reason'])
    .where('user_id', '=', user.userId)
    .execute()
  return Object.fromEntries(rows.map(({ address, reason }) => [address, String(reason)]))
}

const unsubscribedCount = async (id: string): Promise<number> =>
  (
    await running.db
      .selectFrom('runs')
      .select('unsubscribed')
      .where('campaign_id', '=', id)
      .executeTakeFirstOrThrow()
  ).unsubscribed

const multipart = (name: string, value: string): { payload: string; type: string } => ({
  payload: `--FormBoundaryjWmhtjORrn\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--FormBoundaryjWmhtjORrn--\r\n`,
  type: 'multipart/form-data; boundary=FormBoundaryjWmhtjORrn',
})

describe('the page', () => {
  it('says who writes, to which address, and asks; nobody keeps, lists or frames it', async () => {
    const [mail] = await twoMails({ senderName: 'Ann <b>& Sons</b>' })
    const { status, text, headers } = await look(mail.page)
    expect(status).toBe(200)
    expect(text).toContain('Ann &lt;b&gt;&amp; Sons&lt;/b&gt;')
    expect(text).toContain(mail.address)
    expect(text).toMatch(/<button[^>]*>Unsubscribe<\/button>/)
    expect(text).not.toMatch(/<script|\s(?:style|on\w+)=/i)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-frame-options': 'DENY',
    })
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self'; form-action 'self';/,
    )
    expect(headers).not.toHaveProperty('set-cookie')
  })

  it('S36: looked at ten times by a scanner, by GET and HEAD, changes nothing', async () => {
    const [mail] = await twoMails()
    for (let round = 0; round < 10; round++)
      for (const method of ['GET', 'HEAD']) expect((await look(mail.page, method)).status).toBe(200)
    expect(await suppressed()).not.toHaveProperty([mail.address])
    expect(await unsubscribedCount(mail.id)).toBe(0)
    expect((await look(mail.page)).text).toContain('>Unsubscribe</button>')
  })

  it('S35: with any sign of its token changed is 404 in words, and has no effect', async () => {
    const [mail] = await twoMails()
    for (const path of [...tampered(mail.page), '/u/x', `${mail.page}A`, mail.page.slice(0, -1)]) {
      const shown = await look(path)
      expect(shown).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } })
      expect(shown.text).toContain('This link does not work')
      expect((await oneClick(running, path)).status).toBe(404)
      expect((await postForm(running, path, 'action=undo')).status).toBe(404)
    }
    expect(await suppressed()).not.toHaveProperty([mail.address])
  })

  it('S36: is there for a mail with such a link only: without, its token is known to others from the address for answers', async () => {
    const [mail] = await twoMails()
    await running.db
      .updateTable('campaigns')
      .set({ has_unsubscribe: false })
      .where('id', '=', mail.id)
      .execute()
    expect((await look(mail.page)).status).toBe(404)
    expect((await oneClick(running, mail.page)).status).toBe(404)
    expect(await suppressed()).not.toHaveProperty([mail.address])
  })

  it('S35: leads nowhere else, whatever its address names', async () => {
    const [mail] = await twoMails()
    const path = `${mail.page}?next=//evil.test&redirect=https://evil.test`
    const shown = await look(path)
    expect(shown.text).not.toContain('evil.test')
    for (const answer of [shown, await postForm(running, path, `${ONE_CLICK}&next=//evil.test`)]) {
      expect(answer.status).toBe(200)
      expect(answer.headers).not.toHaveProperty('location')
    }
  })
})

describe('one click in a mail program', () => {
  it.each([
    ['as a form', ONE_CLICK, FORM_TYPE],
    ['as a form with a character set', ONE_CLICK, `${FORM_TYPE}; charset=utf-8`],
    [
      'as multipart',
      multipart('List-Unsubscribe', 'One-Click').payload,
      multipart('List-Unsubscribe', 'One-Click').type,
    ],
  ])(
    'S36: %s, without cookie and origin, unsubscribes that person and nobody else',
    async (_, payload, type) => {
      const [mail, other] = await twoMails()
      const answer = await postForm(running, mail.page, payload, { 'content-type': type })
      expect(answer).toMatchObject({ status: 200, text: 'You are unsubscribed.' })
      expect(answer.headers).not.toHaveProperty('location')
      expect(await suppressed()).toMatchObject({ [mail.address]: 'u' })
      expect(await suppressed()).not.toHaveProperty([other.address])
      expect(await unsubscribedCount(mail.id)).toBe(1)
    },
  )

  it('is taken from any origin, and again and again without a further effect', async () => {
    const [mail] = await twoMails()
    const origins: Record<string, string>[] = [
      {},
      { origin: 'https://mail.google.test', 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
    ]
    for (const headers of origins)
      expect(await postForm(running, mail.page, ONE_CLICK, headers)).toMatchObject({
        status: 200,
        text: 'You are unsubscribed.',
      })
    expect(await unsubscribedCount(mail.id)).toBe(1)
  })

  it('leaves one user’s mails, not another’s', async () => {
    const ben = await aUser(running)
    const [mail] = await twoMails()
    await oneClick(running, mail.page)
    expect(await suppressed(ben)).toEqual({})
    expect((await send(ben.browser, { recipients: [mail.address, 'x@x.test'] })).suppressed).toEqual([])
  })

  it.each([
    ['nothing', '', FORM_TYPE],
    ['something else', 'hello=world', FORM_TYPE],
    ['another action', 'action=delete', FORM_TYPE],
    ['half of it', 'List-Unsubscribe=', FORM_TYPE],
    ['another value', 'List-Unsubscribe=Two-Clicks', FORM_TYPE],
    ['JSON', '{"List-Unsubscribe":"One-Click"}', 'application/json'],
    ['broken multipart', '--x\r\nContent', 'multipart/form-data; boundary=x'],
    [
      'multipart without a boundary',
      multipart('List-Unsubscribe', 'One-Click').payload,
      'multipart/form-data',
    ],
  ])('that says %s is refused in a sentence, and has no effect', async (_, payload, type) => {
    const [mail] = await twoMails()
    const answer = await postForm(running, mail.page, payload, { 'content-type': type })
    expect(answer).toMatchObject({ status: 400, headers: { 'content-type': 'text/plain; charset=utf-8' } })
    expect(answer.text).toMatch(/^This request does not say what to do; [^\n]+$/)
    expect(await suppressed()).not.toHaveProperty([mail.address])
  })

  it('of more than four kilobytes is refused before it is read', async () => {
    const [mail] = await twoMails()
    const answer = await postForm(running, mail.page, `${ONE_CLICK}&x=${'x'.repeat(5_000)}`)
    expect(answer.status).toBe(413)
  })
})

describe('the buttons of the page', () => {
  const press = (path: string, action: string) => postForm(running, path, `action=${action}`)

  it('unsubscribe, undo it, and unsubscribe once more', async () => {
    const [mail] = await twoMails()
    const gone = await press(mail.page, 'unsubscribe')
    expect(gone.status).toBe(200)
    expect(gone.text).toContain('You are unsubscribed')
    expect((await look(mail.page)).text).toContain('I want these emails again')
    expect(await suppressed()).toMatchObject({ [mail.address]: 'u' })

    const back = await press(mail.page, 'undo')
    expect(back.text).toContain('You are subscribed again')
    expect(await suppressed()).not.toHaveProperty([mail.address])
    expect((await press(mail.page, 'undo')).text).toContain('You are subscribed again')

    // Nothing new has happened to that mail, and yet it counts.
    await press(mail.page, 'unsubscribe')
    expect(await suppressed()).toMatchObject({ [mail.address]: 'u' })
    expect(await unsubscribedCount(mail.id)).toBe(1)
  })

  it('leave neither token nor address in the log', async () => {
    const [mail] = await twoMails()
    await look(mail.page)
    await press(mail.page, 'unsubscribe')
    await press(mail.page, 'undo')
    expect(running.logged()).not.toContain(mail.page.split('/').at(-1))
  })
})

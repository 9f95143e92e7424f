import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { InboxItem } from '../contract/inbox.ts'
import { aCanary, guard } from './canary.ts'
import { eventually, journey as it, type Member, PATIENCE_MS } from './harness.ts'
import { hostileHtml } from './hostile-mails.ts'
import { aReader, frame, pane, receive, receiveAll, row, subject } from './inbox-steps.ts'
import { button, holdBack } from './steps.ts'

const HTML = 'text/html; charset=utf-8'

async function allItems(member: Member, count: number): Promise<InboxItem[]> {
  const client = await member.client()
  const items: InboxItem[] = []
  await eventually(async () => {
    items.length = 0
    let cursor = ''
    do {
      const list = await client.get(`/api/inbox/list${cursor && `?cursor=${encodeURIComponent(cursor)}`}`)
      items.push(...(list.json() as InboxItem[]))
      cursor = list.headers['x-next-cursor'] ?? ''
    } while (cursor !== '')
    return items.length
  }).toBe(count)
  return items
}

const pathOf = ({ inboxId, messageId }: InboxItem): string =>
  `/api/inbox/message/${inboxId}/${messageId}/html?images=false&theme=light`

/** What is left of it that could run or call, as the browser itself reads it; on a page without any policy. */
async function harmIn(page: Page, member: Member, items: readonly InboxItem[]): Promise<string[]> {
  const client = await member.client()
  const texts = await Promise.all(items.map(async (item) => (await client.get(pathOf(item))).text))
  const blank = await page.context().newPage()
  const harm = await blank.evaluate((pages) => {
    const forbidden =
      'script, iframe, frame, object, embed, form, input, button, select, textarea, svg, math, link, meta, base, template, video, audio, portal'
    return pages.flatMap((text, index) => {
      const { body } = new DOMParser().parseFromString(text, 'text/html')
      return [...body.querySelectorAll('*')].flatMap((element) => {
        const names = element.getAttributeNames()
        const hasHandler = names.some((name) => /^on|^srcdoc$|^ping$|^srcset$|^background$/.test(name))
        const href = element.getAttribute('href')
        const isBadLink = href !== null && !/^(https?:|mailto:|#)/.test(href)
        const isHarm = element.matches(forbidden) || hasHandler || isBadLink
        return isHarm ? [`${index}: ${element.outerHTML}`] : []
      })
    })
  }, texts)
  await blank.close()
  return harm
}

describe('HTML of strangers', () => {
  it('would run and call if it were shown as it is', async ({ browser }) => {
    await using canary = await aCanary()
    // Not one of ours: nobody watches what happens here.
    const context = await browser.newContext()
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
    const { dialogs } = guard(page)
    await page.setContent('<p>somebody else’s mail program</p>')
    await page.evaluate((payloads) => {
      for (const payload of payloads) {
        const frame = document.createElement('iframe')
        frame.srcdoc = payload
        document.body.append(frame)
      }
    }, hostileHtml(canary.origin))
    await eventually(() => dialogs.length > 15 && new Set(canary.calls).size > 20).toBe(true)
    await context.close()
  })

  it('runs nothing, fetches nothing and changes nothing around it', async ({ page, site }) => {
    await using canary = await aCanary()
    const { member, inbox } = await aReader(page, site)
    const payloads = hostileHtml(canary.origin)
    const bodies = payloads.map((payload) => `<p>here</p>${payload}<p>and there</p>`)
    await receiveAll(
      site,
      inbox,
      bodies.map((body, index) => ({ subject: `Hostile ${index}.`, type: HTML, body })),
    )
    const items = await allItems(member, payloads.length)
    const seen = guard(page)
    // What the page does of its own accord, because of news, is not to be mistaken for their doing.
    await holdBack(page, '/api/events')
    await page.goto('/inbox')
    await row(page, /Hostile \d/)
      .first()
      .click()
    await frame(page).contentFrame().getByText('here', { exact: true }).waitFor()
    await eventually(() => page.title()).toBe(`Inbox (${payloads.length - 1}) · Postrider`)

    const fence = await frame(page).evaluate((one) => [
      one.getAttribute('sandbox'),
      one.getAttribute('referrerpolicy'),
    ])
    expect(fence).toEqual(['allow-popups allow-popups-to-escape-sandbox', 'no-referrer'])

    // All at once, and without the sandbox that our page puts around each: what the server sends must hold by itself.
    const found = await page.evaluate(async (paths) => {
      const shape = () =>
        [...document.querySelectorAll('*')]
          .filter((one) => !one.closest('#hostile'))
          .map((one) => one.tagName)
          .join()
      const before = [shape(), document.title, location.href, window.name].join()
      const box = document.createElement('div')
      box.id = 'hostile'
      document.body.append(box)
      await Promise.all(
        paths.map(
          (path) =>
            new Promise((resolve) => {
              const one = document.createElement('iframe')
              one.addEventListener('load', resolve)
              one.src = path
              box.append(one)
            }),
        ),
      )
      // Time for whatever would only happen later.
      await new Promise((resolve) => setTimeout(resolve, 500))
      box.remove()
      const after = [shape(), document.title, location.href, window.name].join()
      return { isSame: before === after, pwned: 'pwned' in window }
    }, items.map(pathOf))
    expect(found).toEqual({ isSame: true, pwned: false })
    expect(await harmIn(page, member, items)).toEqual([])
    expect(seen).toEqual({ dialogs: [], popups: [] })
    expect(canary.calls).toEqual([])
  })

  it('cannot leave its frame, whatever it says of its place', async ({ page, site }) => {
    const { inbox } = await aReader(page, site)
    const cover =
      'position:fixed!important;inset:-999px;width:300vw;height:300vh;z-index:2147483647;background:red'
    const body = (style: string) =>
      `<style>html,body,.x{${style}}</style><div class="x" style="${style}">Sign in</div>`
    await receive(site, inbox, { subject: 'A mail', type: HTML, body: body('') })
    await page.goto('/inbox')
    const read = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await row(page, 'A mail').click()
    await frame(page).waitFor()
    await read
    const box = await frame(page).boundingBox()
    if (!box) throw new Error('the mail has no frame')
    const sidebar = { x: 0, y: 0, width: 256, height: 800 }
    const picture = async () => {
      // Once it is read, nothing there has any more to tell.
      await eventually(() => page.getByTestId('link-inbox').innerText()).toBe('Inbox')
      return page.screenshot({ clip: sidebar, animations: 'disabled' })
    }
    const before = await picture()
    await receive(site, inbox, { subject: 'B mail', type: HTML, body: body(cover) })
    await row(page, 'B mail').click()
    await subject(page, 'B mail').waitFor()
    await frame(page).contentFrame().getByText('Sign in').waitFor()
    expect(await frame(page).boundingBox()).toMatchObject({ x: box.x, width: box.width })
    const outside = await page.evaluate(({ x, y, width }) => {
      const places = [
        [10, 10],
        [x - 4, y + 20],
        [x + width + 4, y + 20],
        [x + 20, y - 4],
        [700, 20],
      ] as const
      return places.map(([left, top]) => document.elementFromPoint(left, top)?.tagName)
    }, box)
    expect(outside).not.toContain('IFRAME')
    await eventually(async () => before.equals(await picture())).toBe(true)
  })

  it('fetches pictures only when asked, and asks again for the next mail', async ({
    page,
    site,
    allowHost,
  }) => {
    await using canary = await aCanary()
    const { inbox } = await aReader(page, site)
    const body = (name: string) =>
      `<p>Look:</p><img src="${canary.origin}/${name}.png" width="20" height="20">`
    for (const name of ['first', 'second'])
      await receive(site, inbox, { subject: name, type: HTML, body: body(name) })
    await page.goto('/inbox')
    await row(page, 'first').click()
    await frame(page).contentFrame().getByText('Look:').waitFor()
    await pane(page).getByText('Images are blocked, for fetching them would tell the sender').waitFor()
    expect(canary.calls).toEqual([])
    allowHost(canary.origin)
    await button(page, 'Show images').click()
    expect(await pane(page).locator('div:focus iframe').count()).toBe(1)
    await eventually(() => canary.calls.includes('/first.png')).toBe(true)
    await row(page, 'second').click()
    await subject(page, 'second').waitFor()
    await frame(page).contentFrame().getByText('Look:').waitFor()
    await button(page, 'Show images').waitFor()
    await row(page, 'first').click()
    await subject(page, 'first').waitFor()
    await button(page, 'Show images').waitFor()
    expect(canary.calls).not.toContain('/second.png')
  })
})

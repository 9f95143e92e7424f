import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InboxItem } from '../../contract/inbox.ts'
import { aMail, anOwner, deliver, INBOX_ENV, type Owner, pathOf, received } from '../test/inbox.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { attachmentNamed, typeOf } from './files.ts'

let running: RunningApp
let port: number
beforeAll(async () => {
  running = await aRunningApp(INBOX_ENV)
  port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => running[Symbol.asyncDispose]())

async function aMessage(
  headers: Record<string, string>,
  body: string,
): Promise<{ ann: Owner; item: InboxItem }> {
  const ann = await anOwner(running)
  await deliver(port, ann.address, aMail(headers, body))
  const [item] = await received(running, ann)
  if (!item) throw new Error('no message')
  return { ann, item }
}

const HTML = { 'Content-Type': 'text/html; charset=utf-8' }
const frame = async ({ ann, item }: Awaited<ReturnType<typeof aMessage>>, query = '') =>
  ann.browser.get(`${pathOf(item)}/html${query}`)

describe('the HTML of a message', () => {
  it('stands in a page of its own, in which nothing runs and nothing is fetched', async () => {
    const message = await aMessage(
      HTML,
      '<p>Hello</p><script>alert(1)</script><img src="https://x.test/a.png">',
    )
    const { text, headers } = await frame(message)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'content-security-policy':
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
    })
    expect(text).toContain('<p>Hello</p>')
    expect(text).not.toContain('<script')
    expect(text).not.toMatch(/\ssrc="/)
    expect(text).toContain('data-remote-src="https://x.test/a.png"')
  })

  it('fetches pictures only when that is asked for', async () => {
    const message = await aMessage(HTML, '<p>Look: <img src="https://x.test/a.png"> data-remote-src="no"</p>')
    const { text, headers } = await frame(message, '?images=true')
    expect(headers['content-security-policy']).toContain('img-src data: https: http:;')
    expect(text).toContain('src="https://x.test/a.png"')
    expect(text).not.toContain('data-remote-src="https')
  })

  it('is dark where the reader is, unless it has colours of its own', async () => {
    const plain = await aMessage(HTML, '<p>The color: of money</p>'.replace('color:', 'colour'))
    expect((await frame(plain, '?theme=dark')).text).toContain('color-scheme: dark')
    expect((await frame(plain, '?theme=light')).text).toContain('color-scheme: light')
    for (const own of [
      '<p style="color: #222">x</p>',
      '<table bgcolor="#eeeeee"><tr><td>x</td></tr></table>',
    ]) {
      const coloured = await aMessage(HTML, own)
      expect((await frame(coloured, '?theme=dark')).text).toContain('color-scheme: light')
    }
    expect((await frame(plain, '?theme=pink')).status).toBe(400)
    expect((await frame(plain, '?images=maybe')).status).toBe(400)
  })
})

describe('the source of a message', () => {
  it('is plain text, whatever it holds, and a file when that is asked for', async () => {
    const { ann, item } = await aMessage(HTML, '<script>alert(1)</script>')
    const shown = await ann.browser.get(`${pathOf(item)}/source`)
    expect(shown.text).toContain('<script>alert(1)</script>')
    expect(shown.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    })
    expect(shown.headers).not.toHaveProperty('content-disposition')
    const saved = await ann.browser.get(`${pathOf(item)}/source?download`)
    expect(saved.headers['content-disposition']).toBe(
      `attachment; filename="message.eml"; filename*=UTF-8''message.eml`,
    )
  })
})

describe('a file in a message', () => {
  it('is handed over to be saved, under its own name, and as nothing that a browser would run', async () => {
    const parts = [
      ['text/html; name="=?utf-8?q?=E2=82=AC?= \\"x\\".html"', '<script>alert(1)</script>'],
      ['image/png; name="../../a.png"', 'PNG'],
      ['image/svg+xml; name=a.svg', '<svg onload="alert(1)"/>'],
    ].map(
      ([type, text = '']) =>
        `--x\nContent-Type: ${type}\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64\n\n${btoa(text)}`,
    )
    const { ann, item } = await aMessage(
      { 'Content-Type': 'multipart/mixed; boundary=x' },
      `--x\nContent-Type: text/plain\n\nSee below\n${parts.join('\n')}\n--x--`,
    )
    expect(item.attachmentCount).toBe(3)
    const files = await Promise.all([0, 1, 2].map((n) => ann.browser.get(`${pathOf(item)}/attachments/${n}`)))
    expect(files.map(({ text }) => text)).toEqual([
      '<script>alert(1)</script>',
      'PNG',
      '<svg onload="alert(1)"/>',
    ])
    expect(files.map(({ headers }) => headers['content-type'])).toEqual([
      'application/octet-stream',
      'image/png',
      'application/octet-stream',
    ])
    for (const { headers } of files) {
      expect(headers['content-disposition']).toMatch(
        /^attachment; filename="[^"\\/%\r\n]+"; filename\*=UTF-8''[\w.~%!#$&+^`|-]+$/,
      )
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      })
    }
    for (const n of [3, -1, 'x', '1e9', '0.5', '%00'])
      expect((await ann.browser.get(`${pathOf(item)}/attachments/${n}`)).status).toBe(404)
  })

  it.each([
    ['a.txt', `attachment; filename="a.txt"; filename*=UTF-8''a.txt`],
    [
      'Angebot für "Zoë" 100%.pdf',
      `attachment; filename="Angebot f_r _Zo__ 100_.pdf"; filename*=UTF-8''Angebot%20f%C3%BCr%20%22Zo%C3%AB%22%20100%25.pdf`,
    ],
    [
      'a\r\nSet-Cookie: x=1',
      `attachment; filename="a__Set-Cookie: x=1"; filename*=UTF-8''a__Set-Cookie%3A%20x%3D1`,
    ],
    ['exe\u202egnp.scr', `attachment; filename="exe_gnp.scr"; filename*=UTF-8''exe_gnp.scr`],
    ['..\\..\\a', `attachment; filename=".._.._a"; filename*=UTF-8''.._.._a`],
    ["it's (*)", `attachment; filename="it's (*)"; filename*=UTF-8''it%27s%20%28%2A%29`],
    ['', `attachment; filename="file"; filename*=UTF-8''file`],
    ['\ud800', `attachment; filename="_"; filename*=UTF-8''%EF%BF%BD`],
  ])('that is called %j', (name, header) => {
    expect(attachmentNamed(name)).toBe(header)
  })

  it('has a type that is harmless, or none', () => {
    expect(
      ['application/pdf', 'IMAGE/PNG', 'text/html', 'image/svg+xml', 'application/xml', 'x'].map(typeOf),
    ).toEqual([
      'application/pdf',
      'image/png',
      ...Array.from({ length: 4 }, () => 'application/octet-stream'),
    ])
  })
})

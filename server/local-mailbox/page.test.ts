import { describe, expect, it } from 'vitest'
import { mailboxOfFile } from '../test/local-mailbox.ts'

const { get, deposit } = mailboxOfFile()

describe('hostile mail', () => {
  const evil = `<script>alert(1)</script><img src=x onerror="alert(1)">"'`

  it('is inert as HTML', async () => {
    const id = await deposit({
      html: `<head><title>x</title></head>${evil}<form action="https://evil.test"></form>`,
    })
    const { headers, body } = await get(`/local-mailbox/messages/${id}/html`)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain('sandbox allow-popups allow-popups-to-escape-sandbox;')
    for (const part of [
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      'img-src data:',
      "form-action 'none'",
      "base-uri 'none'",
    ])
      expect(policy).toContain(part)
    expect(policy).not.toMatch(/allow-(scripts|same-origin|forms|top)/)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    expect(body).toContain('<head><base target="_blank">')
  })

  it('is text in the page, whichever part of it is hostile', async () => {
    const id = await deposit({ subject: evil, text: `${evil} https://x.test/"onclick=alert(1)` })
    for (const view of ['html', 'text', 'source']) {
      const { body, headers } = await get(
        `/local-mailbox?id=${id}&view=${view}&to=${encodeURIComponent(evil)}`,
      )
      expect(body).not.toMatch(/<script>|<img|"onclick/)
      expect(headers['content-security-policy']).toContain("script-src 'self'")
      expect(headers['content-security-policy']).not.toContain('unsafe')
    }
    expect((await get('/local-mailbox')).body).toContain(
      'sandbox="allow-popups allow-popups-to-escape-sandbox"',
    )
  })
})

describe('the page', () => {
  it('says what to do while there is no mail', async () => {
    expect((await get('/local-mailbox')).body).toContain('No mail yet')
    expect((await get('/local-mailbox?to=ann@x.test')).body).toContain('Nothing for ann@x.test')
  })

  it('makes the links of a text mail work', async () => {
    const id = await deposit({ text: 'Open https://x.test/v?a=1&b=2. Thanks' })
    const { body } = await get(`/local-mailbox?id=${id}&view=text`)
    expect(body).toContain(
      'Open <a href="https://x.test/v?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">https://x.test/v?a=1&amp;b=2</a>. Thanks',
    )
  })

  it('shows the source as it would go over the wire', async () => {
    const id = await deposit(
      { subject: 'Grüße', replyTo: 'r@x.test' },
      { to: { name: 'Ann', address: 'ann@x.test' } },
    )
    const { body, headers } = await get(`/local-mailbox/messages/${id}/source`)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    for (const line of [
      'From: Postrider <mail@postrider.localhost>',
      'To: Ann <ann@x.test>',
      'Reply-To: r@x.test',
      'Message-ID: <1@postrider.localhost>',
      'Auto-Submitted: auto-generated',
    ])
      expect(body.split('\r\n')).toContain(line)
    expect(body).toContain('multipart/alternative')
  })

  it('is answered with no-store, and its files come from this origin', async () => {
    const id = await deposit()
    for (const path of [
      '',
      '/messages',
      `/messages/${id}/html`,
      `/messages/${id}/source`,
      '/mailbox.js',
      '/mailbox.css',
    ]) {
      const response = await get(`/local-mailbox${path}`)
      expect(response.statusCode).toBe(200)
      expect(response.headers['cache-control']).toBe('no-store')
    }
    for (const wrong of ['nonsense', '00000000-0000-4000-8000-000000000000'])
      expect((await get(`/local-mailbox/messages/${wrong}/html`)).statusCode).toBe(404)
  })
})

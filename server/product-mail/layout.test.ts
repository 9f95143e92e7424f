import { describe, expect, it } from 'vitest'
import { MailContent, renderMail } from './layout.ts'

const content = (parts: Partial<MailContent> = {}): MailContent => ({
  preview: 'Your code is 314159',
  heading: 'Confirm your address',
  intro: ['Enter this code to finish signing up.'],
  code: '314159',
  button: { label: 'Confirm address', url: 'https://mail.example.com/verify-email?userId=1&code=314159' },
  outro: ['It is valid for 15 minutes.'],
  reason: 'Somebody signed up with this address.',
  ...parts,
})

describe('a mail of the product', () => {
  it('has the code alone on a line of its text, and the whole link on another', () => {
    const lines = renderMail(content())
      .text.split('\n')
      .map((line) => line.trim())
    expect(lines).toContain('314159')
    expect(lines).toContain('https://mail.example.com/verify-email?userId=1&code=314159')
    for (const words of [
      'Confirm your address',
      'It is valid for 15 minutes.',
      'Somebody signed up with this address.',
    ])
      expect(lines).toContain(words)
  })

  it('fetches nothing when it is opened', () => {
    const { html } = renderMail(content())
    expect(html).not.toMatch(/<(img|link|script|iframe|object|video|audio)\b|url\(|@import|src=/i)
    expect(html).toMatch(/<meta name="color-scheme" content="light dark">/)
    expect(html).toContain('prefers-color-scheme:dark')
  })

  it('escapes every part of it', () => {
    const evil = `<img src=x onerror="alert(1)"> & '`
    const { html, text } = renderMail(
      content({
        preview: evil,
        heading: evil,
        intro: [evil],
        code: evil,
        button: { label: evil, url: 'https://x.test/?a="><script>alert(1)</script>' },
        outro: [evil],
        reason: evil,
      }),
    )
    expect(html).not.toMatch(/<img|<script|onerror="/)
    expect(html.split('&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &#39;')).toHaveLength(9)
    expect(text).toContain(evil)
  })

  it('makes an address in a sentence a link', () => {
    const { html } = renderMail(content({ outro: ['Go to https://x.test/a?b=1&c=2.'] }))
    expect(html).toMatch(
      /Go to <a [^>]*href="https:\/\/x\.test\/a\?b=1&amp;c=2"[^>]*>https:\/\/x\.test\/a\?b=1&amp;c=2<\/a>\./,
    )
  })

  it('takes no link but one of the web', () => {
    const withUrl = (url: string) => MailContent.safeParse(content({ button: { label: 'Go', url } })).success
    expect(withUrl('http://localhost:3000/x')).toBe(true)
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '/x', ''])
      expect(withUrl(url)).toBe(false)
  })

  it('leaves out what it does not have, and stays far below the size at which mail programs cut', () => {
    const { code, button, outro, ...bare } = content()
    const { html, text } = renderMail(bare)
    expect(html).not.toContain('If the button does not work')
    expect(html).not.toContain('undefined')
    expect(text).not.toContain('undefined')
    expect(Buffer.byteLength(renderMail(content()).html)).toBeLessThan(20_000)
  })
})

import { describe, expect } from 'vitest'
import { guard } from './canary.ts'
import { eventually, journey as it } from './harness.ts'
import { hostileText } from './hostile-mails.ts'
import { aReader, fact, linesOf, pane, receive, row, rows, subject } from './inbox-steps.ts'

describe('words of strangers', () => {
  it('are words wherever they stand: names, subjects, previews, texts, file names', async ({
    page,
    site,
  }) => {
    const { inbox } = await aReader(page, site)
    const boundary = 'parts-of-it'
    for (const [index, text] of hostileText.entries()) {
      const encoded = `=?UTF-8?B?${Buffer.from(`${index}: ${text}`).toString('base64')}?=`
      await receive(site, inbox, {
        from: `${encoded} <eve@example.test>`,
        subject: encoded,
        type: `multipart/mixed; boundary="${boundary}"`,
        body: [
          `--${boundary}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\nhttps://example.test/?${text}`,
          `--${boundary}\r\nContent-Type: text/html\r\nContent-Disposition: attachment; filename="${encoded}"\r\n\r\n<script>alert(1)</script>`,
          `--${boundary}--`,
        ].join('\r\n'),
      })
    }
    const seen = guard(page)
    await page.goto('/inbox')
    await eventually(() => rows(page).count()).toBe(hostileText.length)
    for (const [index, text] of hostileText.entries()) {
      const shown = `${index}: ${text}`
      await row(page, shown).first().click()
      await subject(page, shown).waitFor()
      expect(await fact(page, 'From')).toBe(`${shown} <eve@example.test>`)
      await pane(page).getByRole('group', { name: 'Text of the message' }).getByText(text).first().waitFor()
      await pane(page).getByRole('region', { name: 'Attachments' }).getByRole('link').waitFor()
    }
    const made = await page.getByRole('main').locator('script, img, svg[onload], [onerror], [onload]').count()
    expect(made).toBe(0)
    const hrefs = await page
      .getByRole('main')
      .locator('a')
      .evaluateAll((links) => links.map((one) => (one as HTMLAnchorElement).protocol))
    expect(hrefs.filter((protocol) => !/^(https?|mailto):$/.test(protocol))).toEqual([])
    const file = await pane(page)
      .getByRole('region', { name: 'Attachments' })
      .getByRole('link')
      .getAttribute('href')
    const answer = await page.evaluate(async (path) => {
      const { headers } = await fetch(path)
      return [headers.get('content-disposition'), headers.get('content-type')]
    }, file ?? '')
    expect(answer).toEqual([expect.stringMatching(/^attachment; /), 'application/octet-stream'])
    expect(seen).toEqual({ dialogs: [], popups: [] })
  })

  it('cannot look like others: what turns or hides letters is gone, and the address stands there', async ({
    page,
    site,
  }) => {
    const { inbox } = await aReader(page, site)
    const encoded = (text: string) => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`
    const name = 'service@pay\u200bpal.test \u202e\u2066moc.knab\u2069\u202c'
    await receive(site, inbox, {
      from: `${encoded(name)} <eve@evil.test>`,
      subject: encoded('Your \u202einvoice\u200b'),
      body: 'Open https://xn--pple-43d.test/ or \u202ehttps://bank.test/\u202c now',
    })
    await page.goto('/inbox')
    await rows(page).first().click()
    await subject(page, 'Your invoice').waitFor()
    expect(await fact(page, 'From')).toBe('service@paypal.test moc.knab <eve@evil.test>')
    await pane(page).getByText('(xn--pple-43d.test)').waitFor()
    expect(await page.getByRole('main').innerText()).not.toMatch(
      /[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
    )
    expect((await linesOf(rows(page).first()))[0]).toBe('service@paypal.test moc.knab')
  })
})

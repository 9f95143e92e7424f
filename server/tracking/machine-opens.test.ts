import { describe, expect, it } from 'vitest'
import { isMachineName, isTooSoon } from './machine-opens.ts'

describe('a fetch of the picture', () => {
  it.each([
    ['Mozilla/5.0'],
    [' Mozilla/5.0 '],
    [''],
    ['   '],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['Mozilla/5.0 (compatible; bingbot/2.0)'],
    ['Slackbot-LinkExpanding 1.0'],
    ['AdsBot-Google (+http://www.google.com/adsbot.html)'],
    ['SomeCrawler/1.0'],
    ['Baiduspider-image'],
    ['Example Mail Scanner 3'],
    ['Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5'],
    ['Microsoft Office Existence Discovery'],
    ['curl/8.5.0'],
    ['Wget/1.21'],
    ['python-requests/2.31.0'],
    ['Python/3.12 aiohttp/3.9.1'],
    ['Go-http-client/1.1'],
    ['Java/17.0.1'],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/120.0.0.0 Safari/537.36'],
    ['BarracudaCentral'],
    ['Proofpoint URL Defense'],
    ['Mimecast'],
    ['node'],
  ])('by “%s” is a machine’s', (userAgent) => expect(isMachineName(userAgent)).toBe(true))

  it.each([
    ['Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'],
    ['YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148'],
    ['Mozilla/4.0 (compatible; ms-office; MSOffice 16)'],
    ['Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)'],
    ['Mozilla/5.0 (Linux; Android 11; CUBOT X30) AppleWebKit/537.36 Chrome/90.0 Mobile Safari/537.36'],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36'],
  ])('by “%s” is a reader’s', (userAgent) => expect(isMachineName(userAgent)).toBe(false))

  const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000)

  it.each([
    ['before the provider has answered', 0, 10, null, true],
    ['2 s after the provider took it', 12, 10, null, true],
    ['3 s after', 13, 10, null, true],
    ['4 s after', 14, 10, null, false],
    ['1 s after it was delivered, long after it was taken', 601, 10, 600, true],
    ['1 s before, by a clock that is fast', 599, 10, 600, true],
    ['between the two', 300, 10, 600, false],
    ['a minute after it was delivered', 660, 10, 600, false],
    ['of a mail of which nothing is known', 0, null, null, false],
    ['of a mail that was delivered, and nobody has said taken', 2, null, 0, true],
  ])('%s: too soon for a reader?', (_, fetched, taken, delivered, expected) =>
    expect(
      isTooSoon(at(fetched), {
        takenAt: taken === null ? null : at(taken),
        deliveredAt: delivered === null ? null : at(delivered),
        mayBeTaken: true,
      }),
    ).toBe(expected),
  )

  it('of a mail that nobody can have yet is too soon for a reader, however long that takes', () =>
    expect(isTooSoon(at(600), { takenAt: at(10), deliveredAt: null, mayBeTaken: false })).toBe(true))
})

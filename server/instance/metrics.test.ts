import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser } from '../test/accounts.ts'
import { finished, recipients, send } from '../test/campaigns.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

const TOKEN = 'a token that is not in any dictionary'.replaceAll(' ', '-')
const HERE = { host: 'localhost:3000' }

let running: RunningApp
beforeAll(async () => {
  running = await aRunningApp()
})
afterAll(() => running[Symbol.asyncDispose]())

/** Name and labels of a sample → its number. */
const read = (text: string): Map<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )

describe('the metrics', () => {
  it('tell what waits, what providers made of it, and how late this process is', async () => {
    const { browser } = await aUser(running)
    const { id } = await send(browser, { recipients: recipients(7) })
    await finished(browser, id)
    const answer = await running.browser().get('/metrics', HERE)
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    const samples = read(answer.text)
    expect([...samples.values()].every(Number.isFinite)).toBe(true)
    expect(samples.get('postrider_outcomes_total{provider="Local mailbox",outcome="accepted"}')).toBe(7)
    expect(samples.get('postrider_deliveries{state="queued"}')).toBe(0)
    expect(samples.get('postrider_deliveries{state="in_flight"}')).toBe(0)
    expect(samples.get('postrider_campaigns_open{state="sending"}')).toBe(0)
    expect(samples.get('postrider_leases_lost_total')).toBe(0)
    expect(samples.get('postrider_event_loop_delay_seconds{quantile="0.99"}')).toBeLessThan(10)
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  })

  it('are in the form that Prometheus reads: each with its help and its kind, and nothing else', async () => {
    const { text } = await running.browser().get('/metrics', HERE)
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(
        /^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{(?:[a-z]+="[^"]*",?)+\})? -?[\d.e+-]+)$/,
      )
  })

  it('are told to nobody who asks from elsewhere, or through a proxy', async () => {
    const browser = running.browser()
    for (const headers of [
      { host: 'mail.example.test' },
      { ...HERE, 'x-forwarded-for': '203.0.113.5' },
      { ...HERE, 'x-forwarded-proto': 'https' },
      { ...HERE, via: '1.1 proxy' },
    ])
      expect(await browser.get('/metrics', headers)).toMatchObject({
        status: 403,
        text: expect.stringContaining('METRICS_TOKEN'),
      })
  })

  it('are told to whoever shows the token, where one is set, and only to them', async () => {
    await using guarded = await aRunningApp({ METRICS_TOKEN: TOKEN })
    const status = async (headers: Record<string, string>) =>
      (await guarded.browser().get('/metrics', headers)).status
    expect(await status({ host: 'mail.example.test', authorization: `Bearer ${TOKEN}` })).toBe(200)
    expect(await guarded.browser().get('/metrics', HERE), 'on this machine too').toMatchObject({
      status: 403,
      text: expect.stringContaining('once METRICS_TOKEN is set, everybody shows it'),
    })
    expect(await status({ ...HERE, authorization: `Bearer ${TOKEN}x` })).toBe(403)
    expect(guarded.logged()).not.toContain(TOKEN)
  })
})

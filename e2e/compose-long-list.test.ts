import { describe, expect } from 'vitest'
import { openComposer, paste, recipientInput, saved, sendButton } from './compose-steps.ts'
import { journey as it } from './harness.ts'
import { field } from './steps.ts'
import { expectToast } from './toasts.ts'

const COUNT = 20_000
const FRAME_MS = 200

describe('20,000 pasted addresses', () => {
  it('hold up no frame for 200 ms, and are all sent to', async ({ page, site }) => {
    const writer = await openComposer(page, site)
    await field(page, 'Subject').fill('To everybody')
    await saved(page)
    const list = Array.from({ length: COUNT }, (_, n) => `"Reader, ${n}" <reader${n}@example.test>`)
    await page.evaluate(() => {
      const longest = { frame: 0, task: 0 }
      Object.assign(window, { longest })
      new PerformanceObserver((entries) => {
        for (const { duration } of entries.getEntries()) longest.task = Math.max(longest.task, duration)
      }).observe({ type: 'longtask' })
      let last = performance.now()
      const tick = (now: number) => {
        longest.frame = Math.max(longest.frame, now - last)
        last = now
        requestAnimationFrame(tick)
      }
      requestAnimationFrame(tick)
    })
    await paste(recipientInput(page), list.join('\n'))
    await page.getByText('To 20,000 people').waitFor()
    // Its draft is saved meanwhile, which belongs to it.
    await page.getByText('Saving…').waitFor({ state: 'detached' })
    await saved(page)
    const longest = await page.evaluate(
      () => (window as unknown as { longest: Record<string, number> }).longest,
    )
    expect(longest['task']).toBeLessThan(FRAME_MS)
    expect(longest['frame']).toBeLessThan(FRAME_MS)

    await sendButton(page).click()
    await expectToast(page, 'Email Sent', `Successfully sent to ${COUNT} recipient(s)`)
    const answer = await writer.client.get('/api/email-history')
    expect(answer.json()).toMatchObject([{ subject: 'To everybody', recipientCount: COUNT }])
    const [campaign] = answer.json() as { id: string }[]
    const all = await writer.client.get(`/api/email-history/${campaign?.id}/recipients`)
    const { recipients } = all.json() as { recipients: string[] }
    expect(new Set(recipients)).toEqual(new Set(list))
  })
})

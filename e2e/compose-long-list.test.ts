import { describe, expect } from 'vitest'
import { expectBelow } from '../server/test/computing.ts'
import { aWriter, paste, recipientInput, saved, sendButton } from './compose-steps.ts'
import { journey as it } from './harness.ts'
import { field } from './steps.ts'
import { expectToast } from './toasts.ts'

const COUNT = 20_000
const FRAME_MS = 200

type TraceEvent = {
  name: string
  pid: number
  tid: number
  args: { name?: string }
  /** What the thread computed, in microseconds: the time in which others had the machine is not the page's. */
  tdur?: number
}

/** What keeps a page from its next frame, in milliseconds. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  // Of all that the browser has, for it may keep a process ready that shows nothing yet.
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  )
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && pages.has(threadOf(event)))
  expect(tasks).not.toEqual([])
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}

describe('20,000 pasted addresses', () => {
  it('hold up no frame for 200 ms, and are all sent to', { tags: 'thorough' }, async ({
    browser,
    page,
    site,
  }) => {
    const writer = await aWriter(site)
    await writer.signIn(page.context())
    const list = Array.from({ length: COUNT }, (_, n) => `"Reader, ${n}" <reader${n}@example.test>`)
    await expectBelow(FRAME_MS, async () => {
      await page.goto('/compose')
      await page.getByRole('region', { name: 'Sender' }).waitFor()
      await field(page, 'Subject').fill('To everybody')
      await saved(page)
      await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] })
      await paste(recipientInput(page), list.join('\n'))
      await page.getByText('To 20,000 people').waitFor()
      // Its draft is saved meanwhile, which belongs to it.
      await page.getByText('Saving…').waitFor({ state: 'detached' })
      await saved(page)
      return longestTask(await browser.stopTracing())
    })

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

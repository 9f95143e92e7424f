import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'vitest'
import { journey as it } from './harness.ts'
import { heading, pathOf } from './steps.ts'

it('keeps people signed in over a restart, although their browser stays connected', async ({
  memberPage: page,
  site,
  allowRefusal,
}) => {
  // The stream of live events ends with the server, and the browser may look for it before it is back.
  allowRefusal('/api/events')
  await page.goto('/history')
  await heading(page, 'Email History').waitFor()
  // Browsers open connections ahead of need: one on which nothing was ever said must not hold up the stop.
  const silent = connect(Number(new URL(site.origin).port), '127.0.0.1').on('error', () => {})
  await once(silent, 'connect')
  await site.restart().finally(() => silent.destroy())
  await page.reload()
  await heading(page, 'Email History').waitFor()
  expect(pathOf(page)).toBe('/history')
})

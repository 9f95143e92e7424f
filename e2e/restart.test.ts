import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'vitest'
import { journey as it } from './harness.ts'
import { heading, pathOf } from './steps.ts'

it('keeps people signed in over a restart, although their browser stays connected', {
  tags: 'thorough',
}, async ({ memberPage: page, site, allowAbsence }) => {
  // The stream of live events ends with the server, and the page looks for it, and for what it missed, before it is back.
  allowAbsence()
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

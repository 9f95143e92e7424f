import { afterAll, beforeAll, it } from 'vitest'
import { knownOrNot, SILENT_ROUTES } from '../test/known-or-not.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { expectSameTime } from '../test/same-time.ts'

let running: RunningApp
beforeAll(async () => {
  running = await aRunningApp({}, { isCostly: true })
})
afterAll(() => running[Symbol.asyncDispose]())

it.each(SILENT_ROUTES)('takes the same time for known and unknown addresses: %s', async (route) => {
  await expectSameTime(await knownOrNot(running, route))
})

import { describe } from 'vitest'
import { journey as it, screenshot } from './harness.ts'
import { looksOf, wear } from './looks.ts'
import { LOCAL_MAILBOX, SIGNED_IN } from './signed-in-states.ts'
import { SIGNED_OUT } from './signed-out-states.ts'
import { show } from './state.ts'

/** Pictures of every screen in every state, to be looked at: SCREENSHOTS=1 npx vitest run e2e/screens */
describe.runIf(process.env['SCREENSHOTS'] === '1')('a picture of', () => {
  for (const state of [...SIGNED_OUT, ...SIGNED_IN, ...LOCAL_MAILBOX])
    it(state.name, async ({ page, site, member, expectRefusal }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await show(state, { page, site, member, expectRefusal })
      for (const look of looksOf(state)) {
        await wear(page, look)
        await screenshot(page, `${state.name} ${look.name}`)
      }
    })
})

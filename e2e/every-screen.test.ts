import { describe, expect } from 'vitest'
import { axe } from './axe.ts'
import { findOverflow, findSmallTargets } from './fingers.ts'
import { journey as it } from './harness.ts'
import { looksOf, wear } from './looks.ts'
import { LOCAL_MAILBOX, SIGNED_IN } from './signed-in-states.ts'
import { SIGNED_OUT } from './signed-out-states.ts'
import { show } from './state.ts'
import { expectToast } from './toasts.ts'

/** Each state is shown once and then looked at from all sides, for getting there takes longer than looking. */
describe('axe finds nothing, nothing is cut and every target takes a finger on', () => {
  for (const state of [...SIGNED_OUT, ...SIGNED_IN, ...LOCAL_MAILBOX])
    it(state.name, async ({ page, site, member, expectRefusal }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await show(state, { page, site, member, expectRefusal })
      for (const look of looksOf(state)) {
        await wear(page, look)
        const found = await axe(page, look.theme === 'light' ? 'all' : 'colour')
        expect(found.join('\n'), `axe, ${look.name}`).toBe('')
        expect(await findOverflow(page), `wider than the screen, ${look.name}`).toEqual([])
      }
      if (state.toast) await expectToast(page, state.toast)
      if (state.only === 'desktop') return
      expect(await findSmallTargets(page), 'smaller than 44 px').toEqual([])
      await page.setViewportSize({ width: 320, height: 640 })
      expect(await findOverflow(page), 'wider than 320 px').toEqual([])
    })
})

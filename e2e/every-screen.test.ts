import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { axe } from './axe.ts'
import { findCutDialogs, findOverflow, findReachedBehind, findSmallTargets } from './fingers.ts'
import { DESKTOP, eventually, journey as it, PHONE } from './harness.ts'
import { type Look, looksOf, THE_OTHER_TWO, TWO_LOOKS, wear } from './looks.ts'
import { LOCAL_MAILBOX, SIGNED_IN } from './signed-in-states.ts'
import { SIGNED_OUT } from './signed-out-states.ts'
import { chainsOf, nameOf, type State, tagsOf, type World, walk } from './state.ts'
import { expectToast } from './toasts.ts'

/** What a desktop shows to whoever reads at 200 %. */
const TWICE_AS_LARGE = { width: DESKTOP.width / 2, height: DESKTOP.height / 2 }

/** A page that was given another size is drawn for it a moment later: some parts have to be told, or find their place. */
const expectNone = (what: string, find: () => Promise<string[]>): Promise<void> =>
  eventually(async () => (await find()).map((found) => `${what}: ${found}`)).toEqual([])

/** For all rules once; in other themes a page that has been looked at for all of them can only go wrong by its colours. */
async function lookIn(
  looks: readonly Look[],
  rules: 'all' | 'colour',
  state: State,
  page: Page,
): Promise<void> {
  for (const look of looksOf(state, looks)) {
    await wear(page, look)
    const found = await axe(page, rules)
    expect(found.join('\n'), `axe, ${look.name}`).toBe('')
    await expectNone(`wider than the screen, ${look.name}`, () => findOverflow(page))
  }
}

/** From all sides. */
async function lookAt(state: State, { page }: World): Promise<void> {
  await lookIn(TWO_LOOKS, 'all', state, page)
  if (state.toast) await expectToast(page, state.toast)
  if (state.only !== 'desktop') {
    await page.setViewportSize(PHONE)
    await expectNone('smaller than 44 px', () => findSmallTargets(page))
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNone('wider than 320 px', () => findOverflow(page))
  }
  await page.setViewportSize(TWICE_AS_LARGE)
  await expectNone('wider than the screen at 200 %', () => findOverflow(page))
  await expectNone('cut off at 200 %', () => findCutDialogs(page))
  // Last, for it moves the focus.
  expect(await findReachedBehind(page), 'reached by the keyboard behind a dialog').toEqual([])
}

const CHAINS = chainsOf([...SIGNED_OUT, ...SIGNED_IN, ...LOCAL_MAILBOX])

describe('axe finds nothing, nothing is cut, every target takes a finger and the keyboard stays where it is asked for on', () => {
  for (const chain of CHAINS)
    it(nameOf(chain), { tags: tagsOf(chain) }, ({ page, site, member, expectRefusal, allowRefusal }) =>
      walk(chain, { page, site, member, expectRefusal, allowRefusal }, lookAt),
    )
})

describe('axe finds nothing and nothing is cut in the dark at a desk or in the light on a phone, on', {
  tags: 'thorough',
}, () => {
  for (const chain of CHAINS)
    it(nameOf(chain), ({ page, site, member, expectRefusal, allowRefusal }) =>
      walk(chain, { page, site, member, expectRefusal, allowRefusal }, (state, { page: seen }) =>
        lookIn(THE_OTHER_TWO, 'colour', state, seen),
      ),
    )
})

import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { axe } from './axe.ts'
import { findCutDialogs, findOverflow, findReachedBehind, findSmallTargets } from './fingers.ts'
import { DESKTOP, eventually, journey as it, PHONE } from './harness.ts'
import { aLookAt, type Look, looksOf, wear } from './looks.ts'
import { LOCAL_MAILBOX, SIGNED_IN } from './signed-in-states.ts'
import { SIGNED_OUT } from './signed-out-states.ts'
import { chainsOf, nameOf, type State, tagsOf, type World, walk } from './state.ts'
import { expectToast } from './toasts.ts'
import { findClashingClasses } from './worn-classes.ts'

/** What a desktop shows to whoever reads at 200 %. */
const TWICE_AS_LARGE = { width: DESKTOP.width / 2, height: DESKTOP.height / 2 }

const STATES = [...SIGNED_OUT, ...SIGNED_IN, ...LOCAL_MAILBOX]

/** A page that was given another size is drawn for it a moment later: some parts have to be told, or find their place. */
const expectNone = (what: string, find: () => Promise<string[]>): Promise<void> =>
  eventually(async () => (await find()).map((found) => `${what}: ${found}`)).toEqual([])

async function seeIn(look: Look, page: Page): Promise<void> {
  await wear(page, look)
  const found = await axe(page)
  expect(found.join('\n'), `axe, ${look.name}`).toBe('')
  await expectNone(`wider than the screen, ${look.name}`, () => findOverflow(page))
}

/** In one look, and from all sides that another one does not change. */
async function lookAt(state: State, { page }: World): Promise<void> {
  await seeIn(aLookAt(state, STATES.indexOf(state)), page)
  expect(await findClashingClasses(page), 'a class that has no effect beside another').toEqual([])
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

const CHAINS = chainsOf(STATES)

describe('axe finds nothing, nothing is cut, every target takes a finger and the keyboard stays where it is asked for on', () => {
  for (const chain of CHAINS)
    it(nameOf(chain), { tags: tagsOf(chain) }, ({ page, site, member, expectRefusal, allowRefusal }) =>
      walk(chain, { page, site, member, expectRefusal, allowRefusal }, lookAt),
    )
})

describe('axe finds nothing and nothing is cut in either theme and either width, on', {
  tags: 'thorough',
}, () => {
  for (const chain of CHAINS)
    it(nameOf(chain), ({ page, site, member, expectRefusal, allowRefusal }) =>
      walk(chain, { page, site, member, expectRefusal, allowRefusal }, async (state) => {
        for (const look of looksOf(state)) await seeIn(look, page)
      }),
    )
})

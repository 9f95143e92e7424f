import type { Page } from 'playwright-core'
import type { Member } from './harness.ts'
import { LIGHT_DESKTOP, type Look, wear } from './looks.ts'
import type { Site } from './site.ts'
import { dismissToast, expectToast, keepToasts, keepToastsFromNow, letToastsGo } from './toasts.ts'

export type World = {
  page: Page
  site: Site
  member: Member
  expectRefusal: (path: string) => void
  allowRefusal: (path: string) => void
}

/** A screen in one of its states, and how to get there. */
export type State = {
  name: string
  show(world: World): Promise<void>
  /**
   * Comes next on the page of the state before it in the list, as that one has left it: to open and load another costs
   * as much as to look at it.
   */
  goesOn?: true
  /** Something has gone wrong, or is met once in a while: what begins so is looked at by the thorough tests. */
  rare?: true
  /** Exists at one width only. */
  only?: Look['width']
  /** The title of the toast that belongs to it, and is kept open. */
  toast?: string
}

/** The states that one page goes through. */
type Chain = readonly State[]

export function chainsOf(states: readonly State[]): Chain[] {
  const chains: State[][] = []
  for (const state of states) {
    const last = chains.at(-1)
    if (state.goesOn && last) last.push(state)
    else chains.push([state])
  }
  return chains
}

export const tagsOf = (chain: Chain): string[] => (chain[0]?.rare ? ['thorough'] : [])

export const nameOf = (chain: Chain): string => chain.map(({ name }) => name).join(' → ')

/** Shows each state and has it looked at. What fails on the way says at which of them. */
export async function walk(
  chain: Chain,
  world: World,
  lookAt: (state: State, world: World) => Promise<void>,
): Promise<void> {
  for (const state of chain) {
    try {
      if (state.goesOn) await putBack(world.page)
      await show(state, world)
      await lookAt(state, world)
    } catch (error) {
      if (error instanceof Error) error.message = `${state.name}: ${error.message}`
      throw error
    }
  }
}

/** Shows it, and has its toast wait. */
async function show(state: State, world: World): Promise<void> {
  const { page } = world
  if (state.toast !== undefined) await (state.goesOn ? keepToastsFromNow(page) : keepToasts(page))
  await state.show(world)
  if (state.toast !== undefined) await expectToast(page, state.toast)
}

/** As a page is when it has loaded: whoever looked at the state before has scrolled, and pointed at something. */
async function putBack(page: Page): Promise<void> {
  await letToastsGo(page)
  await wear(page, LIGHT_DESKTOP)
  await dismissToast(page)
  await page.mouse.move(0, 0)
  await page.evaluate(() => window.scrollTo(0, 0))
}

import type { Page } from 'playwright-core'
import type { Member } from './harness.ts'
import type { Site } from './site.ts'
import { expectToast, keepToasts } from './toasts.ts'

export type World = {
  page: Page
  site: Site
  member: Member
  expectRefusal: (path: string) => void
}

/** A screen in one of its states, and how to get there. */
export type State = {
  name: string
  show(world: World): Promise<void>
  /** Exists at one width only. */
  only?: 'desktop' | 'phone'
  /** The title of the toast that belongs to it, and is kept open. */
  toast?: string
}

/** Shows it, and has its toast wait. */
export async function show(state: State, world: World): Promise<void> {
  if (state.toast !== undefined) await keepToasts(world.page)
  await state.show(world)
  if (state.toast !== undefined) await expectToast(world.page, state.toast)
}

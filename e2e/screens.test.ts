import { describe } from 'vitest'
import { journey as it, screenshot } from './harness.ts'
import { looksOf, wear } from './looks.ts'
import { LOCAL_MAILBOX, SIGNED_IN } from './signed-in-states.ts'
import { SIGNED_OUT } from './signed-out-states.ts'
import { chainsOf, nameOf, type State, type World, walk } from './state.ts'

async function takePictures(state: State, { page }: World): Promise<void> {
  for (const look of looksOf(state)) {
    await wear(page, look)
    await screenshot(page, `${state.name} ${look.name}`)
  }
}

/** Pictures of every screen in every state, to be looked at: SCREENSHOTS=1 npx vitest run e2e/screens */
describe.runIf(process.env['SCREENSHOTS'] === '1')('a picture of', () => {
  for (const chain of chainsOf([...SIGNED_OUT, ...SIGNED_IN, ...LOCAL_MAILBOX]))
    it(nameOf(chain), ({ page, site, member, expectRefusal, allowRefusal }) =>
      walk(chain, { page, site, member, expectRefusal, allowRefusal }, takePictures),
    )
})

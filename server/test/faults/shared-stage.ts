import { afterAll } from 'vitest'
import { SIZE } from './size.ts'

type Open<Stage> = () => Promise<Stage>
type PlayOn<Stage> = (play: (stage: Stage) => Promise<void>) => Promise<void>

/**
 * For scenarios of one file that want the same stage. At full size each has its own; in the small size one is set up for
 * all, which takes longer than most of them, and they are played on it in turn.
 */
export const stageFor = <Stage extends AsyncDisposable>(open: Open<Stage>): PlayOn<Stage> =>
  SIZE === 'ci' ? inTurn(open) : eachItsOwn(open)

function eachItsOwn<Stage extends AsyncDisposable>(open: Open<Stage>): PlayOn<Stage> {
  return async (play) => {
    await using stage = await open()
    await play(stage)
  }
}

function inTurn<Stage extends AsyncDisposable>(open: Open<Stage>): PlayOn<Stage> {
  let shared: Promise<Stage> | null = null
  let turn: Promise<unknown> = Promise.resolve()
  afterAll(async () => {
    await (await shared)?.[Symbol.asyncDispose]()
  })
  return (play) => {
    const mine = turn.then(async () => {
      shared ??= open()
      try {
        await play(await shared)
      } catch (error) {
        // Whoever comes next finds nothing of what went wrong here.
        const spoilt = shared
        shared = null
        await (await spoilt.catch(() => null))?.[Symbol.asyncDispose]()
        throw error
      }
    })
    turn = mine.catch(() => {})
    return mine
  }
}

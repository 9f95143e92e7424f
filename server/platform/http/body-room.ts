import { AppError } from '../errors.ts'
import { createMemoryBudget, type MemoryBudget, type MemoryShare } from '../memory-budget.ts'

type Options = {
  /** For the bodies of everybody together. */
  bytes: number
  /** For those of one owner: whoever sends many leaves room for others, also once they are whole. */
  ownerBytes: number
}

type Own = { budget: MemoryBudget; shares: number }

/** What the bodies of requests may take in memory, those of one caller and those of all. */
export type BodyRoom = { share(owner: string): MemoryShare }

export function createBodyRoom({ bytes, ownerBytes }: Options): BodyRoom {
  const all = createMemoryBudget({ bytes })
  const owners = new Map<string, Own>()

  function enter(owner: string): Own {
    const own = owners.get(owner) ?? { budget: createMemoryBudget({ bytes: ownerBytes }), shares: 0 }
    own.shares += 1
    owners.set(owner, own)
    return own
  }

  function leave(owner: string, own: Own): void {
    own.shares -= 1
    if (own.shares === 0) owners.delete(owner)
  }

  return {
    share(owner) {
      const own = enter(owner)
      const parts = [own.budget.share(), all.share(owner)] as const
      let isOver = false
      const giveBack = (): void => {
        for (const part of parts) part[Symbol.dispose]()
      }
      return {
        async grow(bytes) {
          for (const part of parts) await part.grow(bytes).catch(refuse)
        },
        filling(lose) {
          // Lost in one, it is of no use in the other.
          const fillings = parts.map((part) =>
            part.filling(() => {
              lose()
              giveBack()
            }),
          )
          return {
            [Symbol.dispose]() {
              for (const filling of fillings) filling[Symbol.dispose]()
            },
          }
        },
        [Symbol.dispose]() {
          giveBack()
          if (!isOver) leave(owner, own)
          isOver = true
        },
      }
    },
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof AppError)) throw error
  throw new AppError(503, 'Too many large requests arrive at the moment. Please try again in a few seconds', {
    headers: error.headers,
  })
}

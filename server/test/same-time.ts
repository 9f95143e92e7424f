import { expect } from 'vitest'
import { createPasswords } from '../auth/passwords.ts'
import type { KnownOrNot } from './known-or-not.ts'

const PAIRS = 8
/** On a busy machine a quiet moment may take a while to come; a difference that is real never goes away. */
const PATIENT_PAIRS = 150

/**
 * Two calls by turns, and beside them one password hash, the work that would tell known from unknown. The quickest of
 * each shows the work itself, whatever else the machine is doing; they may differ by less than half a hash.
 */
export async function expectSameTime({ known, unknown }: KnownOrNot): Promise<void> {
  const passwords = createPasswords()
  const best = {
    known: Number.POSITIVE_INFINITY,
    unknown: Number.POSITIVE_INFINITY,
    hash: Number.POSITIVE_INFINITY,
  }
  const time = async (kind: keyof typeof best, call: () => Promise<unknown>) => {
    const start = performance.now()
    await call()
    best[kind] = Math.min(best[kind], performance.now() - start)
  }
  const difference = () => Math.abs(best.known - best.unknown)
  const isSame = () => difference() < best.hash / 2
  for (let pair = 0; pair < PAIRS || (pair < PATIENT_PAIRS && !isSame()); pair++) {
    await time('known', await known())
    await time('unknown', await unknown())
    await time('hash', () => passwords.hash('something to compare with', 'test'))
  }
  expect(difference(), JSON.stringify(best)).toBeLessThan(best.hash / 2)
}

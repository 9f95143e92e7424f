import type { Database } from '../platform/database.ts'
import { findMatching, listAnswers, listPlaces, type Place, type Range, walkMatching } from './store/lists.ts'
import type { WordQuery } from './words.ts'

export type Page = { places: Place[]; next: Place | null }

/** Fills a page with any word that is in every twentieth message. */
const FIRST_WALK = 1_000
/** More hits than these are not sorted: then there are so many that a walk meets some soon. */
const HITS_MAX = 5_000
const WALK = 4_000
/** Together with the last piece, well within what a person takes for at once. */
const SEARCH_MS = 20

export async function listPage(db: Database, userId: string, range: Range): Promise<Page> {
  return pageOf(await listPlaces(db, userId, { ...range, limit: range.limit + 1 }), range.limit, null)
}

export async function answersPage(
  db: Database,
  userId: string,
  campaignId: string,
  range: Omit<Range, 'folder'>,
): Promise<Page> {
  const places = await listAnswers(db, userId, campaignId, { ...range, limit: range.limit + 1 })
  return pageOf(places, range.limit, null)
}

/**
 * A word that is in many messages is found soon by going through the newest ones; one that is in few, by the index, whose
 * hits are few enough to be sorted. The rest (many hits, and all of them old) is gone through piece by piece, for as long
 * as somebody likes to wait; then the page ends early, but never with nothing.
 */
export async function searchPage(
  db: Database,
  userId: string,
  query: WordQuery,
  range: Range,
): Promise<Page> {
  const { limit } = range
  const wanted = limit + 1
  const first = await walkMatching(db, userId, query.all, { ...range, limit: wanted, atMost: FIRST_WALK })
  if (first.found.length >= wanted || first.reached === null) return pageOf(first.found, limit, null)
  const { places, isComplete } = await findMatching(db, userId, query, { ...range, limit: HITS_MAX })
  if (isComplete) return pageOf(places, limit, null)
  const deadline = performance.now() + SEARCH_MS
  const found = [...first.found]
  for (let before: Place | null = first.reached; before !== null; ) {
    const missing = wanted - found.length
    const walk = await walkMatching(db, userId, query.all, { ...range, before, limit: missing, atMost: WALK })
    found.push(...walk.found)
    before = walk.reached
    const isTimeUp = found.length > 0 && performance.now() > deadline
    if (found.length >= wanted || (isTimeUp && before !== null)) return pageOf(found, limit, before)
  }
  return pageOf(found, limit, null)
}

/** `reached`: where a search has stopped that has not found as many as a page holds. */
function pageOf(found: readonly Place[], limit: number, reached: Place | null): Page {
  const places = found.slice(0, limit)
  return { places, next: found.length > limit ? (places.at(-1) ?? null) : reached }
}

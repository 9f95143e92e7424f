import type { Place } from '../platform/cursors.ts'
import type { Database } from '../platform/database.ts'
import { findMatching, listAnswers, listPlaces, type Range, walkMatching } from './store/lists.ts'
import type { WordQuery } from './words.ts'

export type Page = { places: Place[]; next: Place | null }

/** Fills a page with any word that is in every sixth message. */
const NEWEST = 300

export async function listPage(db: Database, userId: string, range: Range): Promise<Page> {
  return pageOf(await listPlaces(db, userId, { ...range, limit: range.limit + 1 }), range.limit)
}

export async function answersPage(
  db: Database,
  userId: string,
  campaignId: string,
  range: Omit<Range, 'folder'>,
): Promise<Page> {
  const places = await listAnswers(db, userId, campaignId, { ...range, limit: range.limit + 1 })
  return pageOf(places, range.limit)
}

/**
 * A word that is in many messages is found soon by going through the newest ones; any other by the index, week by week
 * from the newest one on: of each, only the hits of the weeks that fill the page have to be looked at.
 */
export async function searchPage(
  db: Database,
  userId: string,
  query: WordQuery,
  { limit, ...range }: Range,
): Promise<Page> {
  // One more than asked for tells whether there is a next page.
  const wanted = { ...range, limit: limit + 1 }
  const newest = await walkMatching(db, userId, query.all, { ...wanted, atMost: NEWEST })
  if (newest.found.length > limit || newest.isEnd) return pageOf(newest.found, limit)
  return pageOf(await findMatching(db, userId, query, wanted), limit)
}

function pageOf(found: readonly Place[], limit: number): Page {
  const places = found.slice(0, limit)
  return { places, next: found.length > limit ? (places.at(-1) ?? null) : null }
}

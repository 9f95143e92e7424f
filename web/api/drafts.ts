import { queryOptions } from '@tanstack/react-query'
import {
  CHANGED_ELSEWHERE,
  type Draft,
  type DraftSummary,
  type SaveDraftRequest,
} from '../../contract/drafts.ts'
import { ApiError, apiRequest, readJson, unlessGone } from './client.ts'

export const draftsKey = ['/api/drafts'] as const

export const draftsQuery = queryOptions({
  queryKey: draftsKey,
  queryFn: async ({ signal }) => {
    const response = await apiRequest('GET', '/api/drafts', undefined, { signal })
    return (await readJson(response)) as DraftSummary[]
  },
})

export async function fetchDraft(id: string): Promise<Draft> {
  const response = await apiRequest('GET', `/api/drafts/${encodeURIComponent(id)}`)
  return (await readJson(response)) as Draft
}

/** Null when there is none. */
export const findDraft = (id: string): Promise<Draft | null> =>
  fetchDraft(id).catch((error: unknown) => {
    unlessGone(error)
    return null
  })

/** Stores a draft under an id that the browser has made; again under the same id replaces it. */
export async function saveDraft(id: string, draft: SaveDraftRequest): Promise<DraftSummary> {
  const response = await apiRequest('PUT', `/api/drafts/${encodeURIComponent(id)}`, draft)
  return (await readJson(response)) as DraftSummary
}

export const isChangedElsewhere = (error: unknown): boolean =>
  error instanceof ApiError && error.message.includes(CHANGED_ELSEWHERE)

/** Where it says which state is known, not another one. */
export async function deleteDraft(id: string, basedOn?: string): Promise<void> {
  const state = basedOn === undefined ? '' : `?basedOn=${encodeURIComponent(basedOn)}`
  await apiRequest('DELETE', `/api/drafts/${encodeURIComponent(id)}${state}`).catch(unlessGone)
}

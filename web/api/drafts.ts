import { queryOptions } from '@tanstack/react-query'
import type { Draft, DraftSummary, SaveDraftRequest } from '../../contract/drafts.ts'
import { apiRequest, unlessGone } from './client.ts'

export const draftsKey = ['/api/drafts'] as const

export const draftsQuery = queryOptions({
  queryKey: draftsKey,
  queryFn: async ({ signal }) => {
    const response = await apiRequest('GET', '/api/drafts', undefined, { signal })
    return (await response.json()) as DraftSummary[]
  },
})

export async function fetchDraft(id: string): Promise<Draft> {
  const response = await apiRequest('GET', `/api/drafts/${encodeURIComponent(id)}`)
  return (await response.json()) as Draft
}

/** Stores a draft under an id that the browser has made; again under the same id replaces it. */
export async function saveDraft(id: string, draft: SaveDraftRequest): Promise<void> {
  await apiRequest('PUT', `/api/drafts/${encodeURIComponent(id)}`, draft)
}

export async function deleteDraft(id: string): Promise<void> {
  await apiRequest('DELETE', `/api/drafts/${encodeURIComponent(id)}`).catch(unlessGone)
}

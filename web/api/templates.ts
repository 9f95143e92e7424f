import { queryOptions } from '@tanstack/react-query'
import {
  type ChangeTemplateRequest,
  type SaveTemplateRequest,
  TEMPLATE_CHANGED_ELSEWHERE,
  type Template,
} from '../../contract/templates.ts'
import { ApiError, apiRequest, readJson } from './client.ts'

export const templatesKey = ['/api/templates'] as const

export const templatesQuery = queryOptions({
  queryKey: templatesKey,
  queryFn: async ({ signal }) => {
    const response = await apiRequest('GET', '/api/templates', undefined, { signal })
    return (await readJson(response)) as Template[]
  },
})

export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: [...templatesKey, id],
    queryFn: async ({ signal }) => {
      const response = await apiRequest('GET', `/api/templates/${encodeURIComponent(id)}`, undefined, {
        signal,
      })
      return (await readJson(response)) as Template
    },
  })

export async function createTemplate(request: SaveTemplateRequest): Promise<Template> {
  const response = await apiRequest('POST', '/api/templates', request)
  return (await readJson(response)) as Template
}

export async function editTemplate(id: string, request: ChangeTemplateRequest): Promise<void> {
  await apiRequest('PUT', `/api/templates/${encodeURIComponent(id)}`, request)
}

/** The edit was written from another text than the one that is stored by now. */
export const isTemplateChangedElsewhere = (error: unknown): boolean =>
  error instanceof ApiError && error.message.includes(TEMPLATE_CHANGED_ELSEWHERE)

/** May be what a page does last of all. */
export async function deleteTemplate(id: string): Promise<void> {
  await apiRequest('DELETE', `/api/templates/${encodeURIComponent(id)}`, undefined, { keepalive: true })
}

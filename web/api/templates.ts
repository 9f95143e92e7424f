import { queryOptions } from '@tanstack/react-query'
import type { SaveTemplateRequest, Template } from '../../contract/templates.ts'
import { apiRequest } from './client.ts'

export const templatesKey = ['/api/templates'] as const

export const templatesQuery = queryOptions({
  queryKey: templatesKey,
  queryFn: async ({ signal }) => {
    const response = await apiRequest('GET', '/api/templates', undefined, { signal })
    return (await response.json()) as Template[]
  },
})

export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: [...templatesKey, id],
    queryFn: async ({ signal }) => {
      const response = await apiRequest('GET', `/api/templates/${encodeURIComponent(id)}`, undefined, {
        signal,
      })
      return (await response.json()) as Template
    },
  })

export async function createTemplate(request: SaveTemplateRequest): Promise<Template> {
  const response = await apiRequest('POST', '/api/templates', request)
  return (await response.json()) as Template
}

export async function editTemplate(id: string, request: SaveTemplateRequest): Promise<void> {
  await apiRequest('PUT', `/api/templates/${encodeURIComponent(id)}`, request)
}

/** May be what a page does last of all. */
export async function deleteTemplate(id: string): Promise<void> {
  await apiRequest('DELETE', `/api/templates/${encodeURIComponent(id)}`, undefined, { keepalive: true })
}

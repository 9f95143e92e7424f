import { queryOptions, useQuery } from '@tanstack/react-query'
import { Instance } from '../../contract/instance.ts'
import { apiRequest } from './client.ts'

export const instanceQuery = queryOptions({
  queryKey: ['/api/instance'],
  queryFn: async () => {
    const response = await apiRequest('GET', '/api/instance')
    return Instance.parse(await response.json())
  },
})

/** What this installation is; undefined until known. No screen depends on it to work. */
export function useInstance(): Instance | undefined {
  return useQuery(instanceQuery).data
}

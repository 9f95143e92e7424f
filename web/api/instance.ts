import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Instance } from '../../contract/instance.ts'
import { apiRequest, readJson } from './client.ts'

export const instanceQuery = queryOptions({
  queryKey: ['/api/instance'],
  queryFn: async () => {
    const response = await apiRequest('GET', '/api/instance')
    // Checked by the server as it answers. No parser here: it would be loaded before anybody signs in.
    return (await readJson(response)) as Instance
  },
})

/** What this installation is; undefined until known. No screen depends on it to work. */
export function useInstance(): Instance | undefined {
  return useQuery(instanceQuery).data
}

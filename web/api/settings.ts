import { queryOptions, useQuery } from '@tanstack/react-query'
import {
  type ProviderName,
  REPLACED_PROVIDER_HEADER,
  type SaveSettingsRequest,
  Settings,
  type VerifyProviderRequest,
  VerifyProviderResponse,
} from '../../contract/settings.ts'
import { apiRequest } from './client.ts'

export const settingsQuery = queryOptions({
  queryKey: ['/api/settings'],
  queryFn: async ({ signal }) => {
    const response = await apiRequest('GET', '/api/settings', undefined, { signal })
    return Settings.parse(await response.json())
  },
})

export function useSettings() {
  return useQuery(settingsQuery)
}

/** `replaced`: the provider that was stored when the form was begun. */
export async function saveSettings(request: SaveSettingsRequest, replaced: ProviderName): Promise<void> {
  await apiRequest('POST', '/api/settings', request, { headers: { [REPLACED_PROVIDER_HEADER]: replaced } })
}

/** Credentials that do not work are an answer, not an error. */
export async function verifyProvider(request: VerifyProviderRequest): Promise<VerifyProviderResponse> {
  const response = await apiRequest('POST', '/api/verify-provider', request)
  return VerifyProviderResponse.parse(await response.json())
}

import { queryOptions, useQuery } from '@tanstack/react-query'
import {
  type SaveSettingsRequest,
  Settings,
  type VerifyProviderRequest,
  VerifyProviderResponse,
} from '../../contract/settings.ts'
import { apiRequest } from './client.ts'
import { useInstance } from './instance.ts'

/** The choice that stands for however this installation sends. */
const PRODUCT = 'resend'

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

/** Whether mail goes by plain SMTP, a relay of one's own or the product's; false until known. */
export function useIsPlainSmtp(): boolean {
  const provider = useSettings().data?.provider
  const instance = useInstance()
  return provider === 'smtp' || (provider === PRODUCT && instance?.reportsDeliveries === false)
}

export async function saveSettings(request: SaveSettingsRequest): Promise<void> {
  await apiRequest('POST', '/api/settings', request)
}

/** Credentials that do not work are an answer, not an error. */
export async function verifyProvider(request: VerifyProviderRequest): Promise<VerifyProviderResponse> {
  const response = await apiRequest('POST', '/api/verify-provider', request)
  return VerifyProviderResponse.parse(await response.json())
}

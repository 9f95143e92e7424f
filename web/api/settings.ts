import { queryOptions, useQuery } from '@tanstack/react-query'
import {
  CHANGED_ELSEWHERE,
  REPLACED_PROVIDER_HEADER,
  REPLACED_SENDER_HEADER,
  type ReplacedSender,
  type SaveSettingsRequest,
  Settings,
  type VerifyProviderRequest,
  VerifyProviderResponse,
} from '../../contract/settings.ts'
import { ApiError, apiRequest, readJson } from './client.ts'

export const settingsQuery = queryOptions({
  queryKey: ['/api/settings'],
  queryFn: async ({ signal }) => {
    const response = await apiRequest('GET', '/api/settings', undefined, { signal })
    return Settings.parse(await readJson(response))
  },
})

export function useSettings() {
  return useQuery(settingsQuery)
}

/** What is stored now, not what this page has read some time ago. */
export function useSettingsReadAnew() {
  return useQuery({ ...settingsQuery, refetchOnMount: 'always' })
}

/** `replaced`: what was stored when the form was begun. */
export async function saveSettings(
  request: SaveSettingsRequest,
  { provider, fromName, fromEmail, sendFromOwnAddress }: ReplacedSender & Pick<Settings, 'provider'>,
): Promise<void> {
  const sender: ReplacedSender = {
    fromName: fromName.trim(),
    fromEmail: fromEmail.trim(),
    sendFromOwnAddress,
  }
  await apiRequest('POST', '/api/settings', request, {
    headers: {
      [REPLACED_PROVIDER_HEADER]: provider,
      [REPLACED_SENDER_HEADER]: encodeURIComponent(JSON.stringify(sender)),
    },
  })
}

/** By its words, for a 409 is also the answer to a page whose account is not the one that is signed in. */
export const isChangedElsewhere = (error: unknown): boolean =>
  error instanceof ApiError && error.message.includes(CHANGED_ELSEWHERE)

/** Credentials that do not work are an answer, not an error. */
export async function verifyProvider(request: VerifyProviderRequest): Promise<VerifyProviderResponse> {
  const response = await apiRequest('POST', '/api/verify-provider', request)
  return VerifyProviderResponse.parse(await readJson(response))
}

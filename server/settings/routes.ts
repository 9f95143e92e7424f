import { Message } from '../../contract/auth.ts'
import {
  ProviderName,
  REPLACED_PROVIDER_HEADER,
  REPLACED_SENDER_HEADER,
  ReplacedSender,
  SaveSettingsRequest,
  Settings,
  VerifyProviderRequest,
  VerifyProviderResponse,
} from '../../contract/settings.ts'
import { userOf } from '../auth/sessions.ts'
import type { Http } from '../platform/http/http.ts'
import type { SettingsService } from './service.ts'

export function settingsRoutes(app: Http, { settings }: { settings: SettingsService }): void {
  app.get('/api/settings', { schema: { response: { 200: Settings } } }, (request) =>
    settings.read(userOf(request).id),
  )

  app.post(
    '/api/settings',
    { schema: { body: SaveSettingsRequest, response: { 200: Message } } },
    async (request) => {
      const { headers } = request
      const { data: provider } = ProviderName.safeParse(headers[REPLACED_PROVIDER_HEADER])
      const sender = replacedSenderIn(headers[REPLACED_SENDER_HEADER])
      await settings.save(userOf(request).id, request.body, { provider, sender })
      return { message: 'Your settings have been saved.' }
    },
  )

  app.post(
    '/api/verify-provider',
    { schema: { body: VerifyProviderRequest, response: { 200: VerifyProviderResponse } } },
    (request) => settings.verify(userOf(request).id, request.body),
  )
}

/** Whoever does not say it in the form of the contract has not said it. */
function replacedSenderIn(header: string | string[] | undefined): ReplacedSender | undefined {
  try {
    return ReplacedSender.safeParse(JSON.parse(decodeURIComponent(String(header)))).data
  } catch {
    return undefined
  }
}

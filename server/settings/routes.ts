import { Message } from '../../contract/auth.ts'
import {
  ProviderName,
  REPLACED_PROVIDER_HEADER,
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
      const { data: replaced } = ProviderName.safeParse(request.headers[REPLACED_PROVIDER_HEADER])
      await settings.save(userOf(request).id, request.body, replaced)
      return { message: 'Your settings have been saved.' }
    },
  )

  app.post(
    '/api/verify-provider',
    { schema: { body: VerifyProviderRequest, response: { 200: VerifyProviderResponse } } },
    (request) => settings.verify(userOf(request).id, request.body),
  )
}

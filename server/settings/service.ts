import type { SaveSettingsRequest, Settings } from '../../contract/settings.ts'
import type { Database } from '../platform/database.ts'
import { requireMailAddress } from '../platform/mail-address.ts'
import { requireOneLine } from '../platform/text-safety.ts'
import * as store from './store.ts'

export type SettingsService = {
  read(userId: string): Promise<Settings>
  save(userId: string, request: SaveSettingsRequest): Promise<void>
}

export function createSettings({ db }: { db: Database }): SettingsService {
  return {
    read: async (userId) => ({ provider: 'resend', ...(await store.findSender(db, userId)) }),

    async save(userId, { fromName, fromEmail }) {
      requireOneLine('The sender name', fromName)
      const address = fromEmail === '' ? '' : requireMailAddress(fromEmail).address
      await store.saveSender(db, userId, { fromName, fromEmail: address })
    },
  }
}

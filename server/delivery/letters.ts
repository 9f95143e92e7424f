import type { Database } from '../platform/database.ts'
import type { Letter } from '../providers/provider.ts'
import { htmlOf } from './html-alternative.ts'

/** What a campaign's recipients get, made once; null for a campaign that is gone. */
export type Letters = { of(campaignId: string): Promise<Letter | null> }

export function createLetters({ db, mailFrom }: { db: Database; mailFrom: string }): Letters {
  return {
    async of(campaignId) {
      const row = await db
        .selectFrom('campaigns')
        .select(['subject', 'body', 'sender_name', 'reply_to', 'from_address'])
        .where('id', '=', campaignId)
        .executeTakeFirst()
      if (!row) return null
      return {
        from: { name: row.sender_name, address: row.from_address ?? mailFrom },
        replyTo: row.reply_to === '' ? null : row.reply_to,
        subject: row.subject,
        text: row.body,
        html: htmlOf(row.body),
        headers: {},
      }
    },
  }
}

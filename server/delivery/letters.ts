import { randomBytes } from 'node:crypto'
import type { Database } from '../platform/database.ts'
import type { Letter } from '../providers/provider.ts'
import { htmlOf } from './html-alternative.ts'

/** What a campaign's recipients get, made once; null for a campaign that is gone. */
export type Letters = { of(campaignId: string): Promise<Letter | null> }

type Needs = { db: Database; mailFrom: string }

export function createLetters({ db, mailFrom }: Needs): Letters {
  return {
    async of(campaignId) {
      const row = await db
        .selectFrom('campaigns')
        .select([
          'subject',
          'body',
          'sender_name',
          'reply_to',
          'from_address',
          'has_unsubscribe',
          'link_origin',
          'tracks_opens',
          'conversation_id',
          'in_reply_to',
          'mail_references',
          'has_reply_token',
        ])
        .where('id', '=', campaignId)
        .executeTakeFirst()
      if (!row) return null
      // Stands for each recipient's token, and is as long; so that it stands nowhere else, it is random.
      const mark = randomBytes(36).toString('base64url')
      const unsubscribeUrl = row.has_unsubscribe ? `${row.link_origin}/u/${mark}` : undefined
      const pixelUrl = row.tracks_opens ? `${row.link_origin}/t/${mark}.gif` : undefined
      return {
        from: { name: row.sender_name, address: row.from_address ?? mailFrom },
        replyTo: row.has_reply_token ? withToken(row.reply_to, mark) : row.reply_to || null,
        subject: row.subject,
        text: unsubscribeUrl ? `${row.body.trimEnd()}\n\n-- \nUnsubscribe: ${unsubscribeUrl}\n` : row.body,
        html: htmlOf(row.body, { unsubscribeUrl, pixelUrl, hasQuote: row.conversation_id !== null }),
        headers: {
          ...(row.in_reply_to === null ? {} : { 'In-Reply-To': row.in_reply_to }),
          ...(row.mail_references === null ? {} : { References: row.mail_references }),
          ...(unsubscribeUrl ? unsubscribeHeaders(unsubscribeUrl) : {}),
        },
        ...(unsubscribeUrl || pixelUrl || row.has_reply_token ? { mark } : {}),
      }
    },
  }
}

/** An address of the same mailbox that tells which mail is answered, whatever else a mail program leaves out. */
const withToken = (address: string, token: string): string => address.replace(/@(?=[^@]*$)/, `+${token}@`)

/** RFC 2369 says where; RFC 8058 that a mail program may do it by itself, when its user presses a button there. */
const unsubscribeHeaders = (url: string): Letter['headers'] => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

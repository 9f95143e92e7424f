import type { AddressInfo } from 'node:net'
import type { Settings } from '../../contract/settings.ts'
import { loadSource } from '../inbox/store/intake.ts'
import { aMail, anOwner, type Owner } from './inbox.ts'
import type { RunningApp } from './running-app.ts'
import type { ArrivedMail, Call } from './simulators/brought-mail.ts'

export const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))

/** A mail that no charset could hold, and that is like no other. */
export const arrived = (to: readonly string[], headers: Record<string, string> = {}): ArrivedMail => ({
  raw: Buffer.concat([Buffer.from(aMail(headers)), ALL_BYTES]),
  from: 'bob@example.com',
  to,
})

/** Somebody whose provider brings mail here, and where to. */
export type ReceivingUser = Owner & { url: URL }

/** A port of its own, since providers call from outside. */
export async function originOf(running: RunningApp): Promise<string> {
  const { http } = running.app
  if (!http.server.listening) await http.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`
}

const CREDENTIALS = {
  sendgrid: { apiKey: 'SG.x' },
  mailgun: { apiKey: 'key-x' },
  ses: { apiKey: 'AKIARECEIVER00000001', smtpPassword: 'receiver/secret+key', smtpHost: 'us-east-1' },
}

export async function aReceivingUser(
  running: RunningApp,
  provider: keyof typeof CREDENTIALS,
  webhookSigningKey?: string,
): Promise<ReceivingUser> {
  const owner = await anOwner(running)
  const body = { provider, fromName: '', fromEmail: '', ...CREDENTIALS[provider] }
  const saved = await owner.browser.post('/api/settings', {
    ...body,
    ...(webhookSigningKey === undefined ? {} : { webhookSigningKey }),
  })
  if (saved.status !== 200) throw new Error(saved.text)
  const { inboundUrl } = (await owner.browser.get('/api/settings')).json() as Settings
  return { ...owner, url: new URL(new URL(inboundUrl ?? '').pathname, await originOf(running)) }
}

/** One call, without a second try. */
export async function post(url: URL | string, { headers, body }: Call): Promise<number> {
  const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })
  await answer.arrayBuffer()
  return answer.status
}

/** What is stored for somebody, as it is, the oldest first. */
export async function stored(running: RunningApp, { userId }: Pick<Owner, 'userId'>) {
  const rows = await running.db
    .selectFrom('inbox_messages')
    .select(['id', 'envelope_from as from', 'envelope_to as to', 'campaign_id as campaignId', 'seq'])
    .where('user_id', '=', userId)
    .orderBy('received_at')
    .execute()
  return Promise.all(
    rows.map(async ({ id, ...row }) => ({
      ...row,
      raw: (await loadSource(running.db, id)) ?? Buffer.alloc(0),
    })),
  )
}

import { sql } from 'kysely'
import type { SignedIn } from './accounts.ts'
import type { Answer } from './browser.ts'
import { finished, send } from './campaigns.ts'
import type { ReceivedMail } from './mail-reader.ts'
import type { RunningApp } from './running-app.ts'

/** Where a mail says that it can be left, from its header; null where it does not say. */
export const unsubscribePath = ({ headers }: Pick<ReceivedMail, 'headers'>): string | null => {
  const url = /^<(https?:\/\/[^<>\s]+)>$/.exec(headers['List-Unsubscribe'] ?? '')?.[1]
  return url === undefined ? null : new URL(url).pathname
}

/** The picture in a mail; null where there is none. */
export const pixelPath = ({ html }: Pick<ReceivedMail, 'html'>): string | null => {
  const url = /<img src="([^"]+)"/.exec(html)?.[1]
  return url === undefined ? null : new URL(url).pathname
}

export type TrackedMail = { id: string; address: string; page: string; pixel: string }

/** A campaign that has arrived in the local mailbox, and the means in each of its mails. */
export async function aTrackedCampaign(
  running: RunningApp,
  { browser }: SignedIn,
  addresses: string[],
  parts: Record<string, unknown> = {},
): Promise<TrackedMail[]> {
  const { id } = await send(browser, { recipients: addresses, ...parts })
  await finished(browser, id)
  return Promise.all(
    addresses.map(async (address) => {
      const mail = await running.mails.latest(address)
      const [page, pixel] = [unsubscribePath(mail), pixelPath(mail)]
      if (!page || !pixel) throw new Error('the mail carries no link or no picture')
      return { id, address, page, pixel }
    }),
  )
}

/** As if the mails had arrived a minute ago: who opens one now has had the time to. */
export async function letArrivalsAge(running: RunningApp, campaignId: string): Promise<void> {
  const earlier = (column: string) => sql<Date>`${sql.ref(column)} - interval '1 minute'`
  await running.db
    .updateTable('deliveries')
    .set({ accepted_at: earlier('accepted_at'), delivered_at: earlier('delivered_at') })
    .where('campaign_id', '=', campaignId)
    .execute()
}

export const ONE_CLICK = 'List-Unsubscribe=One-Click'
export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** As a mail program does it: no cookie, no origin. */
export const oneClick = (running: RunningApp, path: string): Promise<Answer> =>
  postForm(running, path, ONE_CLICK)

export const postForm = (
  running: RunningApp,
  path: string,
  payload: string,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  running.browser().send({
    method: 'POST',
    path,
    payload,
    headers: { 'content-type': FORM_TYPE, ...headers },
  })

/** The same with one sign of its token changed, for each sign. */
export function tampered(path: string): string[] {
  const start = path.lastIndexOf('/') + 1
  return Array.from({ length: 48 }, (_, index) => {
    const at = start + index
    return path.slice(0, at) + (path[at] === 'A' ? 'B' : 'A') + path.slice(at + 1)
  })
}

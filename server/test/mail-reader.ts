import type { MailboxMessage } from '../local-mailbox/store.ts'
import type { Http } from '../platform/http/http.ts'
import { until } from './until.ts'

/** As it travels: its date is a text. */
export type ReceivedMail = Omit<MailboxMessage, 'receivedAt'> & { receivedAt: string }

export type MailReader = {
  /** Newest first, as the local mailbox has them now. */
  all(address: string): Promise<ReceivedMail[]>
  /** Waits for the newest of at least `count` mails to this address. */
  latest(address: string, count?: number): Promise<ReceivedMail>
  code(address: string, count?: number): Promise<string>
  link(address: string, path: string, count?: number): Promise<URL>
}

export function createMailReader(http: Http): MailReader {
  const all = async (address: string): Promise<ReceivedMail[]> => {
    const response = await http.inject(`/local-mailbox/messages?to=${encodeURIComponent(address)}`)
    return response.json()
  }
  const latest = async (address: string, count = 1): Promise<ReceivedMail> => {
    let mails: ReceivedMail[] = []
    await until(`${count} mails to ${address}`, async () => {
      mails = await all(address)
      return mails.length >= count
    })
    const [mail] = mails
    if (!mail) throw new Error('no mail')
    return mail
  }

  return {
    all,
    latest,
    async code(address, count) {
      const { text } = await latest(address, count)
      const code = text.match(/^\s*(\d{6})\s*$/m)?.[1]
      if (!code) throw new Error(`no code alone on its line in: ${text}`)
      return code
    },
    async link(address, path, count) {
      const { text } = await latest(address, count)
      const link = text.match(/https?:\/\/\S+/g)?.find((url) => new URL(url).pathname === path)
      if (!link) throw new Error(`no link to ${path} in: ${text}`)
      return new URL(link)
    },
  }
}

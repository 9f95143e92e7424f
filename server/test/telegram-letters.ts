import type { HistoryEntry } from '../../contract/campaigns.ts'
import type { Template } from '../../contract/templates.ts'
import type { SignedIn } from './accounts.ts'
import type { Person } from './simulators/telegram-people.ts'
import type { Seen } from './simulators/telegram-transcript.ts'
import type { TelegramApp } from './telegram.ts'

/** What tests of letters in the chat share. */

export const historyOf = async ({ browser }: SignedIn): Promise<HistoryEntry[]> =>
  (await browser.get('/api/email-history')).json() as HistoryEntry[]

export async function aTemplate({ browser }: SignedIn, parts: Partial<Template> = {}): Promise<Template> {
  const template = { name: 'News', subject: 'The news', body: 'Hi', ...parts }
  return (await browser.post('/api/templates', template)).json() as Template
}

export const suppress = ({ browser }: SignedIn, ...addresses: string[]) =>
  browser.post('/api/suppressions', { addresses })

/** As far as the question to whom it shall go. */
export async function writtenText(person: Person, subject = 'Hello'): Promise<void> {
  await person.says('/send')
  await person.hears(/subject/)
  await person.says(subject)
  await person.hears(/Now the text/)
  await person.says('How are you?')
  await person.presses('Done')
  await person.hears(/To whom/)
}

/** As far as the preview. */
export async function written(person: Person, list: string, subject?: string): Promise<Seen> {
  await writtenText(person, subject)
  await person.says(list)
  return person.hears(/Reply-to/)
}

/** What the newest button of this kind holds. */
export function dataOf({ telegram }: Pick<TelegramApp, 'telegram'>, kind: string): string {
  const calls = [...telegram.calls('sendMessage'), ...telegram.calls('editMessageText')]
  const pattern = new RegExp(`letter/[0-9a-f-]{36}/${kind}[\\w/-]*`)
  const found = calls
    .toSorted((one, other) => other.number - one.number)
    .flatMap(({ args }) => JSON.stringify(args).match(pattern) ?? [])[0]
  if (!found) throw new Error(`no button ${kind} was shown`)
  return found
}

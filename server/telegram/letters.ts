import { createHash } from 'node:crypto'
import type { CampaignsService } from '../campaigns/service.ts'
import type { Database } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import type { SuppressionService } from '../suppression/service.ts'
import type { TemplatesService } from '../templates/service.ts'
import { type Audience, audienceOf } from './audience.ts'
import type { Person } from './links.ts'
import * as store from './store/letters.ts'

export type { Letter, LetterChange } from './store/letters.ts'

type Letter = store.Letter

/** What somebody is shown before they send. */
export type Preview = {
  letter: Letter
  from: { name: string; address: string; replyTo: string }
  audience: Audience
  /** Of those, who would be left out. */
  suppressed: string[]
  /** Stands for the letter and its sender as they are shown: whoever confirms has seen this and nothing else. */
  version: string
  /** Stands for those who are shown as left out: whoever confirms wants none of them mailed. */
  leftOut: string
}

/** Letters that are written in a chat. Whoever asks gets their own, and no others. */
export type Letters = {
  /** Throws where there is none. */
  find(person: Person, id: string): Promise<Letter>
  /** With something in it. */
  unfinished(person: Person): Promise<Letter | null>
  /** An empty one, or one that begins as a template. The same key begins the same letter. */
  begin(person: Person, onceKey: string, templateId: string | null): Promise<Letter>
  /** Whether it holds this template as that stands now, and nothing else. */
  isJustBegun(person: Person, letter: Letter, templateId: string): Promise<boolean>
  discard(person: Person, id: string): Promise<void>
  change(person: Person, id: string, change: store.LetterChange): Promise<void>
  takeMessage(person: Person, id: string, taken: Parameters<typeof store.takeMessage>[3]): Promise<void>
  preview(person: Person, letter: Letter): Promise<Preview>
  /** Once, however often it is asked for. */
  send(person: Person, letter: Letter): Promise<{ campaignId: string; people: number }>
  isCardOf(person: Person, messageId: number, campaignId: string): Promise<boolean>
}

type Needs = {
  db: Database
  campaigns: Pick<CampaignsService, 'send' | 'from'>
  templates: Pick<TemplatesService, 'find'>
  suppression: Pick<SuppressionService, 'check'>
}

const GONE = 'This letter is not there any more: it was discarded, or another one was begun'

export function createLetters({ db, campaigns, templates, suppression }: Needs): Letters {
  async function find({ linkId }: Person, id: string): Promise<Letter> {
    const letter = await store.findLetter(db, linkId, id)
    if (!letter) throw new AppError(404, GONE)
    return letter
  }

  return {
    find,

    async unfinished({ linkId }) {
      const letter = await store.findUnfinished(db, linkId)
      return letter && isEmpty(letter) ? null : letter
    },

    async begin(person, onceKey, templateId) {
      const template = templateId === null ? null : await templates.find(person.userId, templateId)
      const id = idOf(person.linkId, onceKey)
      await store.beginLetter(db, person.linkId, {
        id,
        templateId,
        subject: template?.subject ?? '',
        body: template?.body ?? '',
      })
      return find(person, id)
    },

    async isJustBegun({ userId }, letter, templateId) {
      if (letter.templateId !== templateId || letter.recipients.length > 0) return false
      const { subject, body } = await templates.find(userId, templateId)
      return letter.subject === subject && letter.body === body
    },

    async discard({ linkId }, id) {
      await store.deleteLetter(db, linkId, id)
    },

    change: ({ linkId }, id, change) => store.changeLetter(db, linkId, id, change),
    takeMessage: ({ linkId }, id, taken) => store.takeMessage(db, linkId, id, taken),

    async preview(person, letter) {
      const audience = await audienceOf(letter.recipients)
      const [from, suppressed] = await Promise.all([
        campaigns.from(senderOf(person)),
        suppression.check(person.userId, audience.people),
      ])
      const marks = { version: versionOf(letter, from), leftOut: leftOutOf(suppressed) }
      return { letter, from, audience, suppressed, ...marks }
    },

    async send(person, letter) {
      const { id, recipients, subject, body, templateId } = letter
      const answer = await campaigns.send(
        senderOf(person),
        {
          ...{ recipients, subject, body },
          ...(templateId === null ? {} : { templateId }),
          // In one transaction: whatever dies when, there is no campaign of a letter that is not marked as sent.
          together: (tx, campaignId) => store.markSent(tx, person.linkId, id, campaignId),
        },
        // The letter alone: of two presses at the same moment the second waits here, and gets the first one's answer.
        { key: `telegram ${id}`, request: id },
      )
      return { campaignId: answer.id, people: answer.recipients - answer.suppressed.length }
    },

    isCardOf: ({ linkId }, messageId, campaignId) => store.isCardOf(db, linkId, messageId, campaignId),
  }
}

const isEmpty = ({ subject, body, recipients }: Letter): boolean =>
  subject === '' && body === '' && recipients.length === 0

const senderOf = ({ userId, email }: Person) => ({ id: userId, email })

/** An update that is handled again begins the same letter again. */
function idOf(linkId: string, onceKey: string): string {
  const hash = createHash('sha256').update(`${linkId} ${onceKey}`).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

/** Both fit behind the number of a letter in what a button may hold. */
const VERSION_SIGNS = 7
const LEFT_OUT_SIGNS = 3

function versionOf({ subject, body, recipients }: Letter, from: Preview['from']): string {
  return createHash('sha256')
    .update(JSON.stringify([subject, body, from.name, from.address, from.replyTo]))
    .update(recipients.join('\n'))
    .digest('base64url')
    .slice(0, VERSION_SIGNS)
}

const leftOutOf = (suppressed: readonly string[]): string =>
  createHash('sha256').update(suppressed.toSorted().join('\n')).digest('base64url').slice(0, LEFT_OUT_SIGNS)

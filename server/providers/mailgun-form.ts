import { domainToASCII } from 'node:url'
import { nameAndAddress } from './name-and-address.ts'
import { type Copy, domainOf, type Letter, tagOf } from './provider.ts'

/** What a call to Mailgun holds: the letter once, and each recipient's own parts as its recipient variables. */

/**
 * Whatever Mailgun might fill in: `%recipient…%`, `%unsubscribe_url%` and their like. In a letter they are only words,
 * and arrive as they were written. Two hexadecimal digits behind the sign are a piece of a web address.
 */
const PLACEHOLDER = /%(?=recipient\.[^%\r\n]*%|(?![\da-f]{2})[a-z][\w.:-]*%)/gi
const holdsPlaceholder = (text: string): boolean => text.search(PLACEHOLDER) >= 0

/** Holds one percent sign. Mailgun is taken to fill in once, not to look again at what it has filled in. */
const PERCENT = '%recipient.percent%'

/** Every sign, not only the first of a placeholder: then nobody can read two neighbours as a third one. */
const asWords = (text: string): string => (holdsPlaceholder(text) ? text.replaceAll('%', PERCENT) : text)

/** Only those that begin one: elsewhere in HTML, as in a style sheet, a character reference is not understood. */
const asHtmlWords = (html: string): string => html.replace(PLACEHOLDER, '&#37;')

/** Mailgun fills in each copy's own token itself. */
const marked = (text: string, { mark }: Letter): string =>
  mark === undefined ? text : text.replaceAll(mark, '%recipient.token%')

type Fields = readonly (readonly [name: string, value: string])[]

/** Mailgun's own tracking would count a second time, and change the links that people see. */
const OPTIONS: Fields = [
  ['o:tracking', 'no'],
  ['o:tracking-opens', 'no'],
  ['o:tracking-clicks', 'no'],
  // Recipients have no use for our tag; events carry it all the same.
  ['o:suppress-headers', 'X-Mailgun-Variables'],
  ['v:mid', '%recipient.mid%'],
]

/** Of a message, by Mailgun's rule; one that is longer need not travel to be refused. */
const MESSAGE_MAX = 25 * 1024 * 1024
/** Of all `o:`, `h:` and `v:` parameters together. */
const PARAMETERS_MAX = 16 * 1024

type PreparedLetter = { fields: Fields; bytes: number }

/** A letter goes to a million people and is prepared once. */
const preparations = new WeakMap<Letter, PreparedLetter>()

export function prepared(letter: Letter): PreparedLetter {
  const known = preparations.get(letter)
  if (known) return known
  const fields: Fields = [
    ['from', asWords(nameAndAddress({ ...letter.from, address: plainAddress(letter.from.address) }))],
    ['subject', asWords(letter.subject)],
    ['text', marked(asWords(letter.text), letter)],
    ['html', marked(asHtmlWords(letter.html), letter)],
    ...OPTIONS,
    ...(letter.replyTo === null ? [] : [['h:Reply-To', marked(asWords(letter.replyTo), letter)] as const]),
    ...Object.entries(letter.headers).map(
      ([name, value]) => [`h:${name}`, marked(asWords(value), letter)] as const,
    ),
  ]
  const preparation = { fields, bytes: bytesOf(fields) }
  preparations.set(letter, preparation)
  return preparation
}

/** A copy as a call carries it: its place among the others, and its recipient and variables ready to be written. */
export type Member = { index: number; address: string; to: string; headerNames: string; variables: string }

/**
 * The address is the same, letter by letter, where the mail goes and where its variables stand: otherwise Mailgun would
 * not find them. The Message-ID is left out, since Mailgun writes one for all; the tag comes back with the events.
 */
export function memberOf(copy: Copy, index: number): Member {
  const address = plainAddress(copy.to.address)
  const { name } = copy.to
  const own = Object.values(copy.headers).map((value, n) => [`h${n}`, value] as const)
  return {
    index,
    address,
    // A name that holds a placeholder is no name, and nobody promises that it would arrive as it is.
    to: nameAndAddress({ name: holdsPlaceholder(name) ? '' : name, address }),
    headerNames: Object.keys(copy.headers).join(),
    variables: `${JSON.stringify(address)}:${JSON.stringify({ mid: tagOf(copy), percent: '%', token: copy.token, ...Object.fromEntries(own) })}`,
  }
}

/** Why a recipient cannot be reached by way of Mailgun, or null. */
export const flawOfAddress = (address: string): string | null =>
  holdsPlaceholder(address) ? 'Mailgun would read this address as a placeholder' : null

const plainAddress = (address: string): string => {
  const domain = domainOf(address)
  return `${address.slice(0, address.length - domain.length)}${domainToASCII(domain) || domain}`
}

/** The form of one call; all members have headers of the same names. Or why Mailgun would refuse it. */
export function formOf(letter: PreparedLetter, members: readonly Member[]): FormData | { flaw: string } {
  const names = members[0]?.headerNames.split(',').filter((name) => name !== '') ?? []
  const own = names.map((name, n) => [`h:${name}`, `%recipient.h${n}%`] as const)
  if (letter.bytes > MESSAGE_MAX) return { flaw: 'The letter is larger than the 25 MB that Mailgun takes' }
  const parameters = [...letter.fields, ...own].filter(([name]) => /^[hov]:/.test(name))
  if (bytesOf(parameters) > PARAMETERS_MAX)
    return { flaw: 'The headers of this letter are longer than the 16 KB that Mailgun takes' }
  const form = new FormData()
  for (const [name, value] of [...letter.fields, ...own]) form.append(name, value)
  for (const { to } of members) form.append('to', to)
  // Even for one: without them, every recipient would see the addresses of all.
  form.append('recipient-variables', `{${members.map(({ variables }) => variables).join()}}`)
  return form
}

const bytesOf = (fields: Fields): number =>
  fields.reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value), 0)

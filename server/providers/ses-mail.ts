import { encodedWords, looksEncoded } from './mime/encoded-words.ts'
import { envelopeAddress, isInternational } from './mime/header-lines.ts'
import { nameAndAddress } from './name-and-address.ts'
import {
  type Copy,
  commonReplyTo,
  filledIn,
  type Letter,
  type Mailbox,
  markedHeaders,
  plainHeaders,
  tagOf,
} from './provider.ts'

/** A mail in the words of Amazon's API: https://docs.aws.amazon.com/ses/latest/APIReference-V2/ */

/** Carries the tag to where tags do not go: notifications of an identity know the headers of a mail only. */
export const ID_HEADER = 'X-Postrider-Id'

/** Amazon takes a letter of up to 1 MB for many recipients at once; a part of that is left to the recipients. */
const SHARED_MAX = 900_000
const HEADERS_MAX = 15
const HEADER_VALUE_MAX = 995
/** Of name and value together. */
const HEADER_MAX = 996
const PRINTABLE = /^[\x20-\x7e]*$/

export type SesLetter = {
  /** The body of a call that carries this letter to many. */
  forMany(copies: readonly Copy[]): string
  /** The same for one; it goes through no template, and may be as long as a mail may be. */
  forOne(copy: Copy): string
  /** Why Amazon would refuse this copy, or null. One that it refuses could take the others of its call along. */
  flawOf(copy: Copy): string | null
  isTooLongForMany: boolean
}

const letters = new WeakMap<Letter, SesLetter>()

/** Written out once, however many calls carry it. Its addresses have been found sound before. */
export function sesLetter(letter: Letter): SesLetter {
  const known = letters.get(letter)
  if (known) return known
  const composed = compose(letter)
  letters.set(letter, composed)
  return composed
}

function compose(letter: Letter): SesLetter {
  const flaw = flawOfLetter(letter)
  if (flaw !== null)
    return { forMany: () => '', forOne: () => '', flawOf: () => flaw, isTooLongForMany: false }
  const sender = { FromEmailAddress: mailbox(letter.from) }
  const content = templateOf(letter)
  const shared = JSON.stringify({
    ...sender,
    DefaultContent: {
      Template: {
        TemplateContent: content.parts,
        TemplateData: content.data,
        Headers: headerList(plainHeaders(letter)),
      },
    },
  }).slice(0, -1)

  return {
    forMany: (copies) =>
      `${shared},${JSON.stringify({
        ...answersTo(letter, copies),
        BulkEmailEntries: copies.map((copy) => entry(letter, copy, content.data)),
      }).slice(1)}`,
    forOne: (copy) =>
      JSON.stringify({
        ...sender,
        ...answersTo(letter, [copy]),
        Destination: destination(copy),
        Content: {
          Simple: {
            Subject: utf8(letter.subject),
            Body: {
              ...(letter.text === '' ? {} : { Text: utf8(filledIn(letter.text, letter, copy)) }),
              ...(letter.html === '' ? {} : { Html: utf8(filledIn(letter.html, letter, copy)) }),
            },
            Headers: headerList({ ...plainHeaders(letter), ...ownHeaders(letter, copy) }),
          },
        },
        EmailTags: tags(copy),
      }),
    flawOf: (copy) =>
      isInternational(copy.to.address) ? notAscii('The recipient') : flawOfHeaders(copy.headers),
    isTooLongForMany: Buffer.byteLength(shared) > SHARED_MAX,
  }
}

function answersTo(letter: Letter, copies: readonly Copy[]): object {
  const replyTo = commonReplyTo(letter, copies)
  return replyTo === null ? {} : { ReplyToAddresses: [envelopeAddress(replyTo)] }
}

function entry(letter: Letter, copy: Copy, data: string): object {
  return {
    Destination: destination(copy),
    ReplacementTags: tags(copy),
    // The same as the default: whether an empty one hides the default is nowhere written.
    ReplacementEmailContent: { ReplacementTemplate: { ReplacementTemplateData: dataOf(copy, data) } },
    ReplacementHeaders: headerList(ownHeaders(letter, copy)),
  }
}

const dataOf = ({ token }: Copy, data: string): string =>
  token === undefined ? data : JSON.stringify({ ...JSON.parse(data), token })

const destination = (copy: Copy): object => ({ ToAddresses: [mailbox(copy.to)] })
const utf8 = (text: string): object => ({ Data: text, Charset: 'UTF-8' })

function tags(copy: Copy): object[] {
  const tag = tagOf(copy)
  return tag === '' ? [] : [{ Name: 'mid', Value: tag }]
}

function ownHeaders(letter: Letter, copy: Copy): Readonly<Record<string, string>> {
  const names = [...Object.keys(letter.headers), ...Object.keys(copy.headers)]
  const isTaken = names.some((name) => name.toLowerCase() === ID_HEADER.toLowerCase())
  const tag = tagOf(copy)
  // With more headers than Amazon takes the mail would be refused; it can do without this one.
  const own = { ...markedHeaders(letter, copy), ...copy.headers }
  if (isTaken || tag === '' || names.length >= HEADERS_MAX) return own
  return { ...own, [ID_HEADER]: tag }
}

const headerList = (headers: Readonly<Record<string, string>>): { Name: string; Value: string }[] =>
  Object.entries(headers).map(([Name, value]) => ({
    Name,
    Value: Name === 'References' ? newestReferences(value) : inAscii(value),
  }))

/** A long conversation names more mails than Amazon lets a header hold; the nearest are those that threads hang on. */
function newestReferences(value: string): string {
  const ids = value.split(' ')
  while (ids.join(' ').length + 'References'.length > HEADER_MAX && ids.length > 1) ids.shift()
  return inAscii(ids.join(' '))
}

const isPlain = (text: string): boolean => PRINTABLE.test(text) && !looksEncoded(text)
const inAscii = (text: string): string => (isPlain(text) ? text : encodedWords(text, 0).join(' '))

/** Amazon takes ASCII only: a name as encoded words, a domain as it stands in the DNS. */
function mailbox({ name, address }: Mailbox): string {
  const reached = envelopeAddress(address)
  if (name.trim() === '') return reached
  return isPlain(name) ? nameAndAddress({ name, address: reached }) : `${inAscii(name)} <${reached}>`
}

const notAscii = (whose: string): string =>
  `${whose} has an address with letters before the @ that Amazon SES does not know`

function flawOfLetter({ from, replyTo, headers }: Letter): string | null {
  if (isInternational(from.address)) return notAscii('The sender')
  if (replyTo !== null && isInternational(replyTo)) return notAscii('The reply address')
  return flawOfHeaders(headers)
}

function flawOfHeaders(headers: Readonly<Record<string, string>>): string | null {
  const isTooLong = ({ Name, Value }: { Name: string; Value: string }) =>
    Value.length > HEADER_VALUE_MAX || Name.length + Value.length > HEADER_MAX
  const long = headerList(headers).find(isTooLong)
  return long ? `The header ${long.Name} is longer than Amazon SES allows` : null
}

/**
 * What people type is no template: each `{{` of theirs must arrive as it stands. The signs that mean something to a
 * template next to it are given as variables, one each: a brace, whichever way it stands, and a backslash, which would
 * take the meaning from a brace behind it. None of them is changed by escaping for HTML, so that it does not matter
 * whether Amazon does that; and unlike an entity a variable also holds inside a style sheet.
 */
const VARIABLES: Readonly<Record<string, string>> = { '{': '{{open}}', '}': '{{close}}', '\\': '{{slash}}' }
const DATA = JSON.stringify({ open: '{', close: '}', slash: '\\' })

const literally = (text: string): string =>
  text.replace(/[\\{}]{2,}/g, (signs) =>
    signs.includes('{{') ? signs.replace(/./g, (sign) => VARIABLES[sign] ?? sign) : signs,
  )

function templateOf({ subject, text, html, mark }: Letter): { parts: object; data: string } {
  const literal = { subject: literally(subject), text: literally(text), html: literally(html) }
  const isPlainLetter = literal.subject === subject && literal.text === text && literal.html === html
  const marked = (part: string) => (mark === undefined ? part : part.replaceAll(mark, '{{token}}'))
  const parts = {
    Subject: literal.subject,
    ...(text === '' ? {} : { Text: marked(literal.text) }),
    ...(html === '' ? {} : { Html: marked(literal.html) }),
  }
  return { parts, data: isPlainLetter ? '{}' : DATA }
}

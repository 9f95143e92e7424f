import { RECIPIENTS_MAX, SUBJECT_MAX } from '../../contract/campaigns.ts'
import { namedEntry } from '../../contract/refused-entries.ts'
import { leavePressOf, pressOf, sendPressOf } from './letter-presses.ts'
import type { Letter, Preview } from './letters.ts'
import { type Button, joined, type Markup, type Message, markup, oneLine, shortened } from './markup.ts'

/** What somebody who writes a letter is asked and shown. */

const LEAVE = markup`/cancel leaves this, /send brings you back.`
const BODY_SHOWN = 1_200
const NAMED_BAD = 10
const NAMED_SUPPRESSED = 3
/** Of an address or a name; the longest are longer than a message. */
const NAME_SHOWN = 100

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/** The beginning of a text, and how much more there is. */
export function quoted(text: string, most = BODY_SHOWN): Markup {
  if (text.trim() === '') return markup`<i>No text.</i>`
  const shown = shortened(text, most)
  const left = text.length - (shown.length - 1)
  return shown === text
    ? markup`<blockquote>${shown}</blockquote>`
    : markup`<blockquote>${shown}</blockquote>
and ${counted(left, 'more character')}`
}

export function unfinishedQuestion(letter: Letter): Message {
  const { id, subject, body, recipients } = letter
  return {
    text: markup`You have begun a letter that is not sent yet.

Subject: <b>${oneLine(subject, SUBJECT_MAX) || 'none yet'}</b>
Text: ${body === '' ? 'none yet' : counted(body.length, 'character')}
Recipients: ${recipients.length === 0 ? 'none yet' : counted(recipients.length, 'entry', 'entries')}`,
    buttons: [
      [
        { text: 'Go on', press: pressOf(id, 'go-on') },
        { text: 'Begin anew', press: pressOf(id, 'anew') },
      ],
    ],
  }
}

const keepButton = (id: string): Button => ({ text: 'Keep it as it is', press: pressOf(id, 'go-on') })

export const subjectQuestion = ({ id, subject }: Letter): Message =>
  subject === ''
    ? { text: markup`What is the <b>subject</b>? In one line, please.\n\n${LEAVE}` }
    : {
        text: markup`The subject is: <b>${oneLine(subject, SUBJECT_MAX)}</b>\n\nSend the new one.`,
        buttons: [[keepButton(id)]],
      }

export const bodyQuestion = ({ id, body }: Letter): Message =>
  body === ''
    ? {
        text: markup`Now the <b>text</b>. It may come in several messages, or as a .txt file, which keeps every line as it is.\n\n${LEAVE}`,
      }
    : {
        text: markup`Send the new text; it takes the place of this one:\n\n${quoted(body)}`,
        buttons: [[keepButton(id)]],
      }

/** What a client does at the cut differs from one to the other, and cannot be told from the pieces. */
const WAS_CUT = markup`✂️ Telegram cut this text into pieces. At the cuts a line break may have changed or a character be missing. A .txt file keeps every line as it is.`

export const bodySoFar = ({ id, body }: Letter, isJoined: boolean): Message => ({
  text: joined([
    markup`The text has ${counted(body.length, 'character')}. Send more to go on writing.`,
    ...(isJoined ? [markup``, WAS_CUT] : []),
  ]),
  buttons: [[{ text: 'Done', press: pressOf(id, 'done') }]],
})

export function recipientsQuestion({ id, subject, recipients }: Letter): Message {
  if (recipients.length > 0)
    return {
      text: markup`The list has ${counted(recipients.length, 'entry', 'entries')}. What you send now is added to it.`,
      buttons: [
        [
          { text: 'Done', press: pressOf(id, 'done') },
          { text: 'New list', press: pressOf(id, 'new-list') },
        ],
      ],
    }
  return {
    text: markup`To whom shall <b>${oneLine(subject, 200)}</b> go?

Send their addresses, with commas, semicolons or new lines between them and with names if you like: <code>Ann Lee &lt;ann@example.com&gt;</code>. They may come in several messages, or as a file (CSV or text, up to 20 MB). A letter takes up to ${RECIPIENTS_MAX} recipients.

${LEAVE}`,
  }
}

export const cutList = ({ id, recipients }: Letter, tail: string): Message => ({
  text: markup`${counted(recipients.length, 'entry', 'entries')} so far. Telegram may have cut this list in "${oneLine(tail, NAME_SHOWN)}": if it goes on, send the rest. A file keeps every entry as it is.`,
  buttons: [[{ text: 'Done', press: pressOf(id, 'done') }]],
})

const editButtons = ({ id }: Letter): Button[][] => [
  [
    { text: 'Edit subject', press: pressOf(id, 'subject') },
    { text: 'Edit body', press: pressOf(id, 'body') },
  ],
  [
    { text: 'Edit recipients', press: pressOf(id, 'recipients') },
    { text: 'Discard', press: pressOf(id, 'ask-discard') },
  ],
]

/** `remark` tells what was read from a file, where one was; `isJoined`, that the text came in pieces. */
export function previewMessage(
  preview: Preview,
  now: number,
  { remark, isJoined }: { remark: string | null; isJoined: boolean },
): Message {
  const { letter, audience } = preview
  if (audience.bad.length > 0) return badEntries(preview, remark)
  const count = peopleIn(preview)
  const lines = [
    ...(remark === null ? [] : [markup`${remark}`, markup``]),
    count === 0 ? nobodyLeft(preview) : markup`📨 To <b>${counted(count, 'person', 'people')}</b>`,
    ...exclusions(preview),
    markup`Subject: <b>${oneLine(letter.subject, SUBJECT_MAX)}</b>`,
    markup`From: ${oneLine(preview.from.name, 200)} &lt;${oneLine(preview.from.address, 254)}&gt;`,
    markup`Reply-to: ${oneLine(preview.from.replyTo, 254)}`,
    markup``,
    quoted(letter.body),
    ...(isJoined ? [WAS_CUT] : []),
  ]
  const send: Button = {
    text: `Send to ${count.toLocaleString('en-US')}`,
    press: sendPressOf(letter.id, preview, now),
  }
  return { text: joined(lines), buttons: [...(count === 0 ? [] : [[send]]), ...editButtons(letter)] }
}

const peopleIn = ({ audience, suppressed }: Preview): number => audience.people.length - suppressed.length

function nobodyLeft({ suppressed }: Preview): Markup {
  return suppressed.length === 0
    ? markup`⚠️ <b>Nobody</b> is on the list yet, so this cannot be sent.`
    : markup`⚠️ <b>Nobody is left</b> to send this to: whoever is on the list is on your suppression list as well.`
}

function exclusions({ audience, suppressed }: Preview): Markup[] {
  const { duplicates } = audience
  return [
    ...(duplicates > 0 ? [markup`${counted(duplicates, 'duplicate')} ignored`] : []),
    ...(suppressed.length > 0
      ? [markup`${suppressed.length} on your suppression list and left out: ${named(suppressed)}`]
      : []),
  ]
}

function named(entries: readonly string[]): string {
  const shown = entries.slice(0, NAMED_SUPPRESSED).map((entry) => oneLine(entry, NAME_SHOWN))
  const more = entries.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en-US')} more` : ''}`
}

/** Nothing is sent until it is said what to do with them. */
function badEntries({ letter, audience, version }: Preview, remark: string | null): Message {
  const { bad, people } = audience
  const shown = bad.slice(0, NAMED_BAD).map((entry) => markup`• ${namedEntry(entry)}`)
  const more = bad.length - shown.length
  const lines = [
    ...(remark === null ? [] : [markup`${remark}`, markup``]),
    bad.length === 1
      ? markup`⚠️ This is not a valid e-mail address:`
      : markup`⚠️ These ${bad.length} are not valid e-mail addresses:`,
    ...shown,
    ...(more > 0 ? [markup`and ${more} more`] : []),
    markup``,
    markup`${people.length === 1 ? '1 other is' : `${people.length.toLocaleString('en-US')} others are`} kept. Send the right addresses, and then leave the wrong ones out; or begin a new list.`,
  ]
  return {
    text: joined(lines),
    buttons: [
      [
        {
          text: bad.length === 1 ? 'Leave this out' : 'Leave these out',
          press: leavePressOf(letter.id, version),
        },
        { text: 'New list', press: pressOf(letter.id, 'new-list') },
      ],
    ],
  }
}

export const discardQuestion = ({ id, subject }: Letter): Message => ({
  text: markup`Discard the letter <b>${oneLine(subject, SUBJECT_MAX)}</b>? Its text and its list are lost then.`,
  buttons: [
    [
      { text: 'Discard it', press: pressOf(id, 'discard') },
      { text: 'Keep it', press: pressOf(id, 'go-on') },
    ],
  ],
})

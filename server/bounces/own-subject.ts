import { type Header, headerOf, readable } from './mail-headers.ts'

/** What a report says, without the subject of the mail that it is about: that one is our own user's words. */
type SubjectCut = { text(said: string): string; lines(lines: string[]): string[] }

/** Shorter ones could be a word of the server's own; of longer ones the rest of the line goes with the beginning. */
const SUBJECT_MIN = 8
const SUBJECT_MAX = 300
/** Searched in all; reports about one of our mails are a tenth of this. */
const SEARCHED_MAX = 40_000
const MARK = '…'

/** A line that gives the subject, as notices call it in their languages; the subject may stand below, as in a table. */
const LABELLED =
  /^[\s>*|•"'-]{0,20}(?:(?:message |original |e-?mail )?subject|betreff|objet|sujet|asunto|oggetto|onderwerp|assunto|ämne|emne|aihe|temat|předmět|tárgy|konu|тема|θέμα|(?:[^\s:：]{1,20} )?(?:件名|題名|主题|主題|主旨|标题|標題|제목))[*"']{0,3}(?:[ \t]{0,10}[:：]|(?<=[件名主题題旨제목])[ \t])[\s*|"']{0,20}(.{0,3}).*$/iu

export function createSubjectCut(returned: Header[]): SubjectCut {
  const own = patternOf(readable(headerOf(returned, 'subject')).trim())
  let left = SEARCHED_MAX

  function text(said: string): string {
    if (!own) return said
    const searched = said.slice(0, left)
    left -= searched.length
    const cut = searched.replace(own, (found) => MARK + '\n'.repeat(found.split('\n').length - 1))
    return cut + said.slice(searched.length)
  }

  return { text, lines: (lines) => withoutLabelled(text(lines.join('\n')).split('\n')) }
}

/** In a notice it may be broken anywhere between its words. */
function patternOf(subject: string): RegExp | null {
  if (subject.length < SUBJECT_MIN) return null
  const words = subject
    .slice(0, SUBJECT_MAX)
    .split(/\s+/)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return new RegExp(`${words.join('\\s+')}${subject.length > SUBJECT_MAX ? '.*' : ''}`, 'gi')
}

function withoutLabelled(lines: string[]): string[] {
  let isBelow = false
  return lines.map((line) => {
    const label = LABELLED.exec(line)
    if (label) isBelow = label[1] === ''
    else if (!isBelow || line.trim() === '') return line
    else isBelow = false
    return ''
  })
}

/** The words by which mail programs, in their languages, announce what is answered or passed on. */

const words = (lines: string): string[] => lines.split(/[|\n]/).flatMap((word) => word.trim() || [])

const WROTE = words(`
  wrote | writes | schrieb | a écrit | escribió | scritto | escreveu | schreef | skrev | napisał | napsal | kirjoitti | írta
  yazdı | написал | пишет | писав | a scris | написа | έγραψε | כתב | كتب | viết | menulis | 写道 | 寫道 | のメール | 작성
`)
const ORIGINAL = words(`
  original message | original appointment | ursprüngliche nachricht | message d'origine | mensaje original
  messaggio originale | mensagem original | oorspronkelijk bericht | originalmeddelande | oprindelig meddelelse
  opprinnelig melding | alkuperäinen viesti | wiadomość oryginalna | původní zpráva | eredeti üzenet | özgün ileti
  исходное сообщение | 原始邮件 | 原始郵件 | 元のメッセージ | 원본 메시지
`)
const FORWARDED = words(`
  forwarded message | begin forwarded message | weitergeleitete nachricht | anfang der weitergeleiteten | message transféré
  début du message réexpédié | mensaje reenviado | messaggio inoltrato | inizio messaggio inoltrato | mensagem encaminhada
  doorgestuurd bericht | begin doorgestuurd bericht | vidarebefordrat meddelande | wiadomość przekazana | přeposlaná zpráva
  iletilen mesaj | пересылаемое сообщение | пересланное сообщение | 转发邮件 | 轉寄郵件 | 転送メッセージ | 전달된 메일
`)
const FROM_LINE =
  /^\*?(?:from|von|de|da|van|från|fra|lähettäjä|od|feladó|kimden|от|发件人|寄件者|差出人|보낸 사람)\*? ?[:：]/iu
const NEXT_HEADER =
  /^\*?(?:sent|date|to|cc|subject|gesendet|datum|an|betreff|envoyé|à|objet|enviado(?: el)?|para|fecha|asunto|inviato|data|a|oggetto|assunto|verzonden|aan|onderwerp|skickat|till|ämne|sendt|til|emne|wysłano|do|temat|отправлено|дата|кому|тема|发送时间|收件人|主题|送信日時|宛先|件名|보낸 날짜|받는 사람)\*? ?[:：]/iu

/** `On 1 May 2026 at 10:00, Ann <ann@example.com> wrote:` */
export function isAttribution(line: string): boolean {
  const text = line.trim()
  if (text.length > 500 || !/[:：]$/.test(text) || !/[\d@]/.test(text)) return false
  const small = text.toLowerCase()
  return WROTE.some((word) => small.includes(word))
}

/** `-----Original Message-----` */
export function isOriginalMark(line: string): boolean {
  const text = line.slice(0, 200).trim().toLowerCase().replaceAll('\u2019', "'")
  return /^-{2,}/.test(text) && ORIGINAL.some((word) => text.includes(word))
}

export function isForwardMark(text: string): boolean {
  const small = text.slice(0, 500).toLowerCase()
  return FORWARDED.some((word) => small.includes(word))
}

export const isFromLine = (line: string): boolean => FROM_LINE.test(line.slice(0, 100).trim())

/** Outlook's `From: … Sent: … To: …`. Only as a block: a letter may have a line that begins with `From:`. */
export const isHeaderBlock = (line: string, following: string[]): boolean =>
  isFromLine(line) && following.some((next) => NEXT_HEADER.test(next.slice(0, 100).trim()))

/** The subject of something passed on, which nobody should have to unfold. */
export const isForwardSubject = (subject: string): boolean =>
  /^\s*(?:fwd?|wg|tr|rv|enc|i|vl|doorst|pd|ilt|転送|转发|轉寄)\s*[:：]/iu.test(subject)

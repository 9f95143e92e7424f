export type Reply = {
  code: number
  /** Without the codes; the lines of a long reply are parted by line feeds. */
  text: string
}

/** RFC 5321 allows 512 octets and servers go beyond it; nobody needs more than this, and memory is ours. */
const LINE_MAX = 2048
const LINES_MAX = 128

const LF = 10
const CR = 13
const SPACE = 32
const HYPHEN = 45
const ZERO = 48
const NOTHING: Buffer = Buffer.alloc(0)

type ReplyReader = {
  /** Takes what came off the wire; false when it is not SMTP, after which the connection is of no use. */
  feed(chunk: Buffer): boolean
  /** Whether something came after the last whole reply. */
  hasRest(): boolean
}

/** Cuts a stream of bytes into replies, however the network has cut it into chunks. */
export function createReplyReader(onReply: (reply: Reply) => void): ReplyReader {
  let rest = NOTHING
  let earlier = ''
  let earlierCode = 0
  let earlierLines = 0

  function takeLine(bytes: Buffer, start: number, end: number): boolean {
    const stop = end > start && bytes[end - 1] === CR ? end - 1 : end
    const code = codeAt(bytes, start, stop)
    if (code === 0 || stop - start > LINE_MAX) return false
    // A reply whose lines disagree is not one reply: whoever believed either code could be made to believe the other.
    if (earlierLines > 0 && code !== earlierCode) return false
    const text = bytes.toString('utf8', Math.min(start + 4, stop), stop)
    if (bytes[start + 3] === HYPHEN && stop > start + 3) {
      earlier += `${text}\n`
      earlierCode = code
      earlierLines += 1
      return earlierLines < LINES_MAX
    }
    const whole = earlierLines === 0 ? text : earlier + text
    earlier = ''
    earlierLines = 0
    onReply({ code, text: whole })
    return true
  }

  return {
    feed(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      rest = NOTHING
      let start = 0
      for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
        if (!takeLine(bytes, start, end)) return false
        start = end + 1
      }
      if (start < bytes.length) rest = bytes.subarray(start)
      return rest.length <= LINE_MAX
    },
    hasRest: () => rest.length > 0 || earlierLines > 0,
  }
}

/** The three digits that a line begins with, or 0 where they are missing. */
function codeAt(bytes: Buffer, start: number, stop: number): number {
  if (stop - start < 3) return 0
  const sign = bytes[start + 3]
  if (stop - start > 3 && sign !== SPACE && sign !== HYPHEN) return 0
  const hundreds = digitAt(bytes, start)
  const tens = digitAt(bytes, start + 1)
  const ones = digitAt(bytes, start + 2)
  if (hundreds < 2 || hundreds > 5 || tens < 0 || ones < 0) return 0
  return hundreds * 100 + tens * 10 + ones
}

function digitAt(bytes: Buffer, index: number): number {
  const digit = (bytes[index] ?? 0) - ZERO
  return digit >= 0 && digit <= 9 ? digit : -1
}

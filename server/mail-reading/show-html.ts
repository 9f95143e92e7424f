import { cleanHtml } from './clean-html.ts'
import { findQuotes, NO_QUOTES } from './html-quotes.ts'
import { childOf, parseHtml, TooComplex } from './html-tree.ts'
import { picturesOfMail } from './pictures.ts'
import { isForwardSubject } from './quote-marks.ts'
import { plainTextOf } from './read-plainly.ts'
import { pictureWords, textOfHtml } from './text-of-html.ts'

type ShownHtml = {
  /** Cleaned; null where nothing is to be seen in it, or where it is more than is shown. */
  html: string | null
  hasRemoteImages: boolean
  /** All that can be read in it, and what of it its author wrote. */
  text: string
  authored: string
  /** Something of it is not in `html`: it is longer than is shown, or only its words could be found. */
  isCut: boolean
}

/** Of the source; pictures may be in it. */
const SOURCE_MAX = 6_000_000
const STRIPPED_MAX = 500_000

export function showHtml(
  source: string,
  pictures: ReadonlyMap<string, Uint8Array>,
  subject: string,
): ShownHtml {
  try {
    const shown = show(source.slice(0, SOURCE_MAX), pictures, subject)
    return source.length > SOURCE_MAX ? { ...shown, isCut: true } : shown
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error
    const text = plainTextOf(source.slice(0, STRIPPED_MAX))
    return { html: null, hasRemoteImages: false, text, authored: text, isCut: true }
  }
}

function show(source: string, pictures: ReadonlyMap<string, Uint8Array>, subject: string): ShownHtml {
  const document = parseHtml(source)
  const page = childOf(document, 'html')
  const body = page && childOf(page, 'body')
  if (!body) return { html: null, hasRemoteImages: false, text: '', authored: '', isCut: false }
  const quotes = isForwardSubject(subject) ? NO_QUOTES : findQuotes(body)
  const cleaned = cleanHtml(document, { quotes, pictures: picturesOfMail(pictures) })
  const text = textOfHtml(body) || pictureWords(body)
  const isSeen = text !== '' || cleaned.html.includes('<img ')
  const html = isSeen ? cleaned.html : null
  return { ...cleaned, html, text, authored: textOfHtml(body, quotes) || text }
}

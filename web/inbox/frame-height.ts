/*
 * The frame of a mail tells nobody how high its content is: it runs no scripts and is of no origin. So its height is
 * reckoned from what is in it. Too little, and it scrolls inside; too much, and there is some empty paper.
 */

const LINE_PX = 24
const CHARACTERS_A_LINE = { wide: 68, phone: 38 }
const BLOCK_PX = 14
const PICTURE_PX = 160
const EDGE_PX = 72

const BLOCK = /<(?:p|div|br|tr|li|h[1-6]|blockquote|hr|table|pre)\b/gi
const PICTURE = /<img\b[^>]*>/gi
const HEIGHT = /\bheight\s*[:=]\s*["']?(\d{1,4})/i
/** Folded away until somebody asks for it. */
const FOLDED = /<details\b[\s\S]*<\/details>/i

interface FrameOptions {
  showsImages: boolean
  isPhone: boolean
}

export function frameHeight(html: string, { showsImages, isPhone }: FrameOptions): number {
  const shown = html.replace(FOLDED, '<p>…</p>')
  const text = shown
    .replace(/<style[\s\S]*?<\/style>/gi, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
  const blocks = shown.match(BLOCK)?.length ?? 0
  const width = CHARACTERS_A_LINE[isPhone ? 'phone' : 'wide']
  const lines = Math.max(Math.ceil(text.length / width), Math.ceil(blocks / 3))
  const pictures = [...shown.matchAll(PICTURE)].reduce(
    (sum, [tag]) => sum + pictureHeight(tag, showsImages),
    0,
  )
  return Math.round(EDGE_PX + lines * LINE_PX + blocks * BLOCK_PX + pictures)
}

/** A picture that is not fetched is as high as its words. */
function pictureHeight(tag: string, showsImages: boolean): number {
  if (/\bdata-remote-src\b/i.test(tag) && !showsImages) return LINE_PX
  const named = HEIGHT.exec(tag)?.[1]
  return named === undefined ? PICTURE_PX : Math.min(Number(named), 600)
}

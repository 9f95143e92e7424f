/** Pictures that come with a mail are shown at once; all of one mail together are at most this large. */
export const PICTURES_MAX_BYTES = 3_000_000

/** By the first bytes: what a mail says of its parts is often wrong, and sometimes a trick. SVG is none of them. */
export function pictureType(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16)).toString('latin1')
  if (head.startsWith('\u0089PNG\r\n\u001a\n')) return 'image/png'
  if (head.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  if (/^RIFF.{4}WEBP/s.test(head)) return 'image/webp'
  if (/^.{4}ftypavi[fs]/s.test(head)) return 'image/avif'
  return null
}

/** The same for `<a@b>` in a header and `a%40b` in an address. */
export function contentId(written: string): string {
  const id = written.trim().replace(/^<|>$/g, '')
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

const DATA = /^data:image\/(?:png|jpe?g|gif|webp|avif)(?:;[\w=-]{1,40})?;base64,/i

/** The picture in a `data:` address; null where it is none that is shown. */
export function pictureInAddress(address: string): Uint8Array | null {
  const start = DATA.exec(address)?.[0]
  if (start === undefined) return null
  const bytes = Buffer.from(address.slice(start.length), 'base64')
  return pictureType(bytes) === null ? null : bytes
}

/** The pictures of one mail, by their Content-ID, until there are too many. */
export type PicturesOfMail = {
  /** As a `data:` address; null for one that is not in the mail, or does not fit any more. */
  byId(contentId: string): string | null
  embedded(bytes: Uint8Array): string | null
}

export function picturesOfMail(byContentId: ReadonlyMap<string, Uint8Array>): PicturesOfMail {
  let left = PICTURES_MAX_BYTES
  const embedded = (bytes: Uint8Array): string | null => {
    const type = pictureType(bytes)
    // The same picture at two places is written twice, and counts twice.
    if (type === null || bytes.byteLength > left) return null
    left -= bytes.byteLength
    return `data:${type};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`
  }
  return {
    embedded,
    byId(contentId) {
      const bytes = byContentId.get(contentId)
      return bytes === undefined ? null : embedded(bytes)
    },
  }
}

/** How files of strangers are handed over: to be saved, never to be shown as a page of ours. */

/** Types that no browser runs anything of, even where somebody opens them. */
const HARMLESS = new Set([
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp', 'image/tiff', 'image/heic'],
  ...['audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/wav', 'video/mp4', 'video/webm', 'video/quicktime'],
  ...['application/pdf', 'application/zip', 'application/gzip', 'text/calendar', 'text/csv', 'text/plain'],
  ...['application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
])

export const FILE_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'"

export const typeOf = (claimed: string): string => {
  const type = claimed.toLowerCase()
  return HARMLESS.has(type) ? type : 'application/octet-stream'
}

/** RFC 6266: a name for old browsers, and the true one (RFC 8187) for all others. */
export function attachmentNamed(name: string): string {
  const safe = name.replace(/[\p{Cc}\p{Cf}/\\]/gu, '_').trim() || 'file'
  const plain = safe.replace(/[^\x20-\x7e]|["%]/g, '_')
  const encoded = encodeURIComponent(safe.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

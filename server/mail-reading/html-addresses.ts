/** Longer ones exist, and lead nowhere that a person asked for. */
const ADDRESS_MAX = 8_000
const LINK_PROTOCOLS = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/**
 * Where a link leads, spelled as the browser will read it: it drops line breaks and tabs, so `java\nscript:` is a
 * protocol to it, and a relative address would be one of our own. Null for what is no link any more.
 */
export function linkAddress(href: string): string | null {
  const url = absolute(href)
  if (!url || !LINK_PROTOCOLS.has(url.protocol)) return null
  // `https://bank.example@evil.example` leads to the second and reads like the first.
  if (url.username !== '' || url.password !== '') {
    url.username = ''
    url.password = ''
  }
  return url.href
}

/** The address of a picture on somebody's server. */
export function remotePicture(src: string): string | null {
  const url = absolute(src)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  url.username = ''
  url.password = ''
  return url.href
}

function absolute(written: string): URL | null {
  if (written.length > ADDRESS_MAX) return null
  const address = written.trim()
  return URL.parse(/^[/\\]{2}/.test(address) ? `https:${address}` : address)
}

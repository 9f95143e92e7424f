import { isIP } from 'node:net'

/** Names and addresses of this very machine. Brackets around an IPv6 address, as in URLs, make no difference. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (isIP(name) === 4) return name.startsWith('127.')
  return name === '::1' || name === 'localhost' || name.endsWith('.localhost')
}

/** An address without port, brackets or the dress of IPv4 in IPv6; null for anything else. */
export function plainAddress(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(bare) === 0 ? null : bare
}

/** What one person owns: an IPv4 address, or the whole /64 of an IPv6 one, however it is spelled. */
export function ownedRange(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string) => (text ? text.split(':') : [])
  const before = groups(head)
  const after = groups(tail ?? '')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`
}

export const isPrivate = (address: string): boolean =>
  isLoopback(address) || /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd][0-9a-f]{2}:)/i.test(address)

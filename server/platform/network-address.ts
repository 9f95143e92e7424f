import { BlockList, isIP } from 'node:net'

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
  const [head = '', tail] = canonicalAddress(address).split('::')
  const groups = (text: string) => (text ? text.split(':') : [])
  const before = groups(head)
  const after = groups(tail ?? '')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`
}

/**
 * Networks in which a reverse proxy stands before us, and out of which nobody calls from the internet. Among them the
 * shared range that hosting platforms and overlay networks use (100.64.0.0/10), and link-local addresses.
 */
const PRIVATE_V4 = blockList('ipv4', [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
])
const PRIVATE_V6 = blockList('ipv6', ['::1/128', 'fc00::/7', 'fe80::/10'])

/** Of a plain address. Whether a server may be called at one is another question: `isPublicAddress`. */
export function isPrivate(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return PRIVATE_V4.check(address, 'ipv4')
  return version === 6 && PRIVATE_V6.check(address, 'ipv6')
}

/**
 * Where no server of the public internet is: IANA's special-purpose ranges, and the address under which a cloud's own
 * agent answers its machines.
 */
const NOT_PUBLIC_V4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])
/** All public IPv6 addresses begin so; loopback, private, mapped and translated (NAT64) ones do not. */
const GLOBAL_V6 = blockList('ipv6', ['2000::/3'])
/** Among them: protocols of their own (Teredo too), examples, 6to4. The tunnels carry an IPv4 address of any kind. */
const NOT_PUBLIC_V6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** Is this an address, in its usual form, that everybody on the internet reaches as the same machine? */
export function isPublicAddress(address: string): boolean {
  // A zone (fe80::1%eth0) is only for addresses of the own network.
  if (address.includes('%')) return false
  const version = isIP(address)
  if (version === 4) return !NOT_PUBLIC_V4.check(address, 'ipv4')
  return version === 6 && GLOBAL_V6.check(address, 'ipv6') && !NOT_PUBLIC_V6.check(address, 'ipv6')
}

function blockList(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    list.addSubnet(network, Number(bits), family)
  }
  return list
}

/** One spelling for each address: IPv6 is written in many ways. One with a zone stays as it is. */
export const canonicalAddress = (address: string): string =>
  isIP(address) === 6 && !address.includes('%')
    ? new URL(`http://[${address}]`).hostname.slice(1, -1)
    : address

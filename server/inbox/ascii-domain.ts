import { domainToASCII } from 'node:url'

/** Nothing that domainToASCII would decode, or stop at, as a browser does. */
const BEYOND_ASCII = /^[-.a-z0-9\u0080-\u{10ffff}]*[\u0080-\u{10ffff}][-.a-z0-9\u0080-\u{10ffff}]*$/iu

/**
 * The receiver's library shows `xn--…` as the letters that it stands for, and people write those; our own domain is
 * known by its ASCII spelling. Only the domain is touched: the case of the rest may count.
 */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return BEYOND_ASCII.test(domain) ? `${address.slice(0, at + 1)}${domainToASCII(domain)}` : address
}

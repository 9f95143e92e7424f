import { isIP } from 'node:net'
import { canonicalAddress } from './network-address.ts'

const NAME_MAX = 253
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** As a last label this makes the whole a number to resolvers: 2130706433, 0x7f.1 and 127.1 are all this machine. */
const NUMBER = /^(\d+|0x[0-9a-f]*)$/

/**
 * A host as it is compared and looked up: a name in lower case without its final dot, or an address in its one form.
 * Null for everything that resolvers would read in a way of their own: other numbers than four decimal ones, signs
 * beyond ASCII, encodings, zones, spaces.
 */
export function readHost(text: string): string | null {
  const bracketed = /^\[([0-9a-fA-F:.]+)\]$/.exec(text)?.[1]
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? canonicalAddress(bracketed) : null
  if (text.includes('%')) return null
  if (isIP(text) === 6) return canonicalAddress(text)
  const name = text.toLowerCase().replace(/\.$/, '')
  if (isIP(name) === 4) return name
  const labels = name.split('.')
  const isName = name.length <= NAME_MAX && labels.every((label) => LABEL.test(label))
  return isName && !NUMBER.test(labels.at(-1) ?? '') ? name : null
}

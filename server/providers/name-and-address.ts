import type { Mailbox } from './provider.ts'

/** `Name <address>`, quoted where a character of the name means something in a header. */
export function nameAndAddress({ name, address }: Mailbox): string {
  if (name === '') return address
  const plain = /^[\p{L}\p{N}][\p{L}\p{N} '_-]*$/u.test(name)
  return `${plain ? name : `"${name.replace(/["\\]/g, '\\$&')}"`} <${address}>`
}

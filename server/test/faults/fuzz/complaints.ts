import type { Answer } from '../../browser.ts'

/** What only somebody should see who looks into our log. */
const INSIDES = /\n\s+at |node_modules|\.ts:\d|\/server\/|zod|kysely|pg_|SQLSTATE|syntax error|TypeError/i
const SENTENCE_MAX = 600

/** What every answer says of itself; a frame or a picture says it in a way of its own. */
const HEADERS: Record<string, RegExp> = {
  'content-security-policy': /default-src 'none'.*frame-ancestors '(none|self)'/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^(DENY|SAMEORIGIN)$/,
  'strict-transport-security': /^max-age=31536000; includeSubDomains$/,
  'cross-origin-resource-policy': /^(same|cross)-origin$/,
}
const HEADERS_FOR_PROGRAMS = { ...HEADERS, 'cache-control': /\bno-store\b/ }

/** What is wrong with an answer to a call that need not make sense; a page for people may refuse in a page. */
export function complaintsAbout({ status, headers, text }: Answer, isForPrograms: boolean): string[] {
  const found = Object.entries(isForPrograms ? HEADERS_FOR_PROGRAMS : HEADERS)
    .filter(([name, expected]) => !expected.test(String(headers[name])))
    .map(([name]) => `answered ${status} with ${name}: ${headers[name]}`)
  if (status >= 500) found.push(`answered ${status}`)
  if (status < 400) return found
  if (INSIDES.test(text)) found.push(`shows its insides (${text.slice(0, 200)})`)
  if (!isForPrograms && headers['content-type']?.startsWith('text/html')) return found
  if (headers['content-type'] !== 'text/plain; charset=utf-8')
    found.push(`answered ${status} as ${headers['content-type']}`)
  // A capital letter or a quotation first, then signs that can be seen, on one line.
  if (!/^["\p{Lu}][^\p{Cc}\u2028\u2029]{4,}$/u.test(text) || text.length > SENTENCE_MAX)
    found.push(`says ${JSON.stringify(text.slice(0, 200))}`)
  return found
}

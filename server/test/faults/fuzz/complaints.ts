import type { Answer } from '../../browser.ts'

/** What only somebody should see who looks into our log. */
const INSIDES = /\n\s+at |node_modules|\.ts:\d|\/server\/|zod|kysely|pg_|SQLSTATE|syntax error|TypeError/i
const SENTENCE_MAX = 600

/** What is wrong with an answer to a call that need not make sense; a page for people may refuse in a page. */
export function complaintsAbout({ status, headers, text }: Answer, isForPrograms: boolean): string[] {
  const found: string[] = []
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

const WORDS_MAX = 300

/** What a provider said, as one line that can be shown: no credential that it may have echoed, no line breaks. */
export function providersWords(text: string, secrets: readonly string[] = []): string {
  let words = text
  for (const secret of secrets) if (secret !== '') words = words.replaceAll(secret, '…')
  words = words.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX)}…` : words
}

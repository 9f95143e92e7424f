import { readFileSync } from 'node:fs'

/** A letter that makes a message of about 6.5 KB, text, HTML and links together; every sender of a run sends the same. */
export const theLetter = () => ({
  subject: 'News from the workshop',
  senderName: 'The workshop',
  replyTo: 'workshop@example.test',
  body: Array.from(
    { length: 6 },
    (_, index) =>
      `Paragraph ${index + 1}. We have been busy, and this is what we made of it since the last letter.\nRead more at https://example.test/news/${index + 1} or write back, we answer every mail ourselves.`,
  ).join('\n\n'),
})

export const recipientOf = (index: number): string => `recipient${index}@example.test`

/** The most memory that this process ever held, as the kernel counts it. */
export function peakMemory(): number {
  const line = readFileSync('/proc/self/status', 'utf8').match(/VmHWM:\s+(\d+) kB/)
  return line ? Number(line[1]) * 1024 : process.memoryUsage().rss
}

import { execFile, spawnSync } from 'node:child_process'

/** What a filter thinks of a mail. */
type SpamScore = { score: number; rules: string }

export const isSpamassassinThere = (): boolean => spawnSync('spamassassin', ['--version']).status === 0

/** Judges raw mails by SpamAssassin's own rules, without the network, as a server that has just received them. */
export async function spamScores(mails: readonly string[]): Promise<SpamScore[]> {
  const box = mails
    .map((raw, n) => `From nobody ${boxDate()}\n${received(raw, n).replace(/\r\n/g, '\n')}\n`)
    .join('')
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile(
      'spamassassin',
      ['--local', '--nocreate-prefs', '--mbox'],
      { maxBuffer: 100_000_000 },
      (error, text) => (error ? reject(error) : resolve(text)),
    )
    child.stdin?.end(box)
  })
  const scores: SpamScore[] = []
  // They do not come back in their order.
  for (const mail of output
    .replace(/\n[ \t]+/g, ' ')
    .split(/^From nobody /m)
    .slice(1)) {
    const [, n] = /^Return-Path: <b-(\d+)@/m.exec(mail) ?? []
    const [, score, rules] = /^X-Spam-Status: \w+, score=(\S+) .*?tests=(.*?) autolearn=/m.exec(mail) ?? []
    if (n !== undefined && score !== undefined)
      scores[Number(n)] = { score: Number(score), rules: rules ?? '' }
  }
  return scores
}

const boxDate = (): string =>
  new Date().toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/, '$1 $3 $2 $5 $4')

/** The lines that the receiving server writes above a mail; addresses that are kept for examples count as forged. */
const received = (raw: string, n: number): string =>
  [
    `Return-Path: <b-${n}@mail.example.com>`,
    'Received: from relay.example.com (relay.example.com [93.184.215.14])',
    `\tby mx.example.net (Postfix) with ESMTPS id 4XZ${n}Q`,
    `\tfor <bob@example.net>; ${new Date().toUTCString().replace('GMT', '+0000')}`,
    raw,
  ].join('\r\n')

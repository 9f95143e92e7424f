import { expect, it } from 'vitest'
import { createMemoryBudget } from '../platform/memory-budget.ts'
import type { MailInPieces } from '../test/simulators/brought-mail.ts'
import { createSigner } from '../test/simulators/sendgrid-events.ts'
import { parseForm, signedParse } from '../test/simulators/sendgrid-parse.ts'
import { readSendgridInbound } from './sendgrid-inbound.ts'

const signer = createSigner()
const pieces: MailInPieces = {
  from: 'bob@example.com',
  to: ['ann@corp.test'],
  headers: [
    ['From', 'Bob <bob@example.com>'],
    ['Subject', 'An\u2028answer'],
    ['Date', 'Tue, 17 Nov 2026 10:00:00 +0000'],
    ['Message-ID', '<b@example.com>'],
    ['References', '<first@corp.test>\n <second@corp.test>'],
  ],
  text: Buffer.from('Yes'),
}

async function rebuilt(lineEnd: string): Promise<string> {
  const headers = pieces.headers.map(([name, value]) => [name, value.replaceAll('\n', lineEnd)] as const)
  const call = signedParse(parseForm({ ...pieces, headers }, { lineEnd }), signer)
  const reading = await readSendgridInbound({ ...call, now: new Date() }, signer.publicKey)
  if (reading.kind !== 'mail') throw new Error(reading.kind)
  const share = createMemoryBudget({ bytes: 10_000_000 }).share()
  return String(await reading.mail.source(share))
}

it.each(['\n', '\r\n'])(
  'a mail in pieces keeps all its headers where their lines end in %j',
  async (lineEnd) => {
    const head = (await rebuilt(lineEnd)).split('MIME-Version')[0]?.split('\r\n')
    expect(head).toEqual([
      'To: ann@corp.test',
      'from: Bob <bob@example.com>',
      'subject: An\u2028answer',
      'date: Tue, 17 Nov 2026 10:00:00 +0000',
      'message-id: <b@example.com>',
      'references: <first@corp.test> <second@corp.test>',
      '',
    ])
  },
)

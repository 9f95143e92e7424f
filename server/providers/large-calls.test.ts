import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createMemoryBudget } from '../platform/memory-budget.ts'
import { expectBelow, longestTurn } from '../test/computing.ts'
import type { MailInPieces } from '../test/simulators/brought-mail.ts'
import { routeCall } from '../test/simulators/mailgun-route.ts'
import { createSigner } from '../test/simulators/sendgrid-events.ts'
import { parseForm, signedParse } from '../test/simulators/sendgrid-parse.ts'
import { readMailgunInbound } from './mailgun-inbound.ts'
import type { InboundReading } from './received.ts'
import { readSendgridInbound } from './sendgrid-inbound.ts'

const signer = createSigner()
const LARGE = randomBytes(20_000_000)
const common = { from: 'bob@example.com', to: ['ann@corp.test'] }
const withFile: MailInPieces = {
  ...{ ...common, headers: [['Subject', 'Large']] },
  ...{ text: Buffer.from('x'), attachments: [{ name: 'a.bin', type: 'application/x-any', content: LARGE }] },
}
const byMailgun = (mail: Parameters<typeof routeCall>[0]) => {
  const call = { ...routeCall(mail, { signingKey: 'key' }), now: new Date() }
  return async () => readMailgunInbound(call, 'key')
}
const bySendgrid = (mail: Parameters<typeof parseForm>[0]) => {
  const call = { ...signedParse(parseForm(mail), signer), now: new Date() }
  return async () => readSendgridInbound(call, signer.publicKey)
}
// Half of these bytes are coded by three each.
const coded = Buffer.alloc(15_000_000, 'Subject: x\r\n\r\n\xe4 \xf6')

it.each<[string, () => Promise<InboundReading>]>([
  ['whole from Mailgun', byMailgun({ ...common, raw: coded })],
  ['in pieces from Mailgun', byMailgun(withFile)],
  ['whole from SendGrid', bySendgrid({ ...common, raw: LARGE })],
  ['in pieces from SendGrid', bySendgrid(withFile)],
])('a mail of many megabytes %s keeps nobody else waiting for more than 50 ms', async (_, read) => {
  await expectBelow(50, () =>
    longestTurn(async () => {
      const memory = createMemoryBudget({ bytes: 200_000_000 })
      const reading = await read()
      if (reading.kind !== 'mail') throw new Error(reading.kind)
      expect((await reading.mail.source(memory.share()))?.length).toBeGreaterThan(14_000_000)
    }),
  )
})

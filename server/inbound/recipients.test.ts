import { expect, it } from 'vitest'
import { createRateLimiter } from '../platform/rate-limit.ts'
import { freshDatabase } from '../test/database.ts'
import { aReceiver } from '../test/receiver.ts'
import { aConversation, mailIn } from '../test/smtp-conversation.ts'
import { createRecipientOf } from './recipients.ts'

const REPORTED = { campaignId: 'c', seq: 1 }
const REFILL = { refillSeconds: 1_000 }

it('more mail than an inbox or a sender should have comes later, and reports come always', async () => {
  await using database = await freshDatabase()
  const limited = (fromOneAddress: number, toOneInbox: number) =>
    createRecipientOf({
      returnPaths: {
        read: (address) => (address.startsWith('b-') ? REPORTED : null),
        isForComplaints: (address) => address === 'fbl@x',
      },
      inbox: {
        admit: async () => {},
        targetOf: async (address) =>
          address === 'fbl@x' ? null : { inboxId: address, userId: 'ann', delivery: null },
      },
      limiter: createRateLimiter(database.db),
      limits: {
        fromOneAddress: { ...REFILL, burst: fromOneAddress },
        toOneInbox: { ...REFILL, burst: toOneInbox },
      },
    })
  await using inbox = await aReceiver({ recipientOf: limited(1_000, 2) })
  const answers = []
  for (const to of ['ann@x', 'ann@x', 'ann@x', 'eve@x']) answers.push(await mailIn(inbox.port, [to], 'x'))
  expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['250', '250', '450', '250'])

  const complaints = []
  for (let n = 0; n < 3; n += 1) complaints.push(await mailIn(inbox.port, ['fbl@x'], 'x'))
  expect(complaints.map((answer) => answer.slice(0, 3))).toEqual(['250', '250', '450'])

  await using sender = await aReceiver({ recipientOf: limited(2, 1_000) })
  expect(await mailIn(sender.port, ['a@x', 'b@x'], 'x')).toMatch(/^250 /)
  expect(await mailIn(sender.port, ['c@x'], 'x')).toMatch(/^450 /)
  for (let n = 0; n < 5; n += 1) expect(await mailIn(sender.port, ['b-1@x'], 'x')).toMatch(/^250 /)
  // Another sender is another sender.
  await using line = await aConversation(sender.port, { from: '127.0.1.9' })
  await line.reply()
  await line.say('EHLO mx.example.test')
  await line.say('MAIL FROM:<>')
  expect(await line.say('RCPT TO:<c@x>')).toMatch(/^250 /)
})

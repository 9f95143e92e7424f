import { createReceiver, type ReceiverLimits } from '../inbound/receiver.ts'
import type { Recipient, RecipientOf } from '../inbound/recipients.ts'
import { createLog } from '../platform/log.ts'
import { createMemoryBudget } from '../platform/memory-budget.ts'
import { aConversation, type Conversation } from './smtp-conversation.ts'

const RETURN: Recipient = { kind: 'return', delivery: { campaignId: 'c', seq: 1 } }

type Taken = { from: string; raw: string; recipients: number }
type TestReceiver = AsyncDisposable & { port: number; taken: Taken[] }
type Options = {
  limits?: Partial<ReceiverLimits>
  memory?: { bytes: number; patienceMs?: number; stalledMs?: number }
  store?: (raw: Buffer) => Promise<void>
  recipientOf?: RecipientOf
}

/** A receiver that knows everybody whose name begins with `b-` or `inbox-`, and keeps what it takes. */
export async function aReceiver(options: Options = {}): Promise<TestReceiver> {
  const taken: Taken[] = []
  const receiver = createReceiver({
    domain: 'in.example.test',
    log: createLog('silent'),
    memory: createMemoryBudget({ bytes: 40_000_000, ...options.memory }),
    recipientOf: options.recipientOf ?? knownByName,
    async take({ raw, from, recipients }) {
      await options.store?.(raw)
      taken.push({ from, raw: raw.toString('latin1'), recipients: recipients.length })
    },
    limits: { closeMs: 50, ...options.limits },
  })
  const port = await receiver.listen({ host: '127.0.0.1', port: 0 })
  return { port, taken, [Symbol.asyncDispose]: () => receiver.close() }
}

const knownByName: RecipientOf = async (address) => {
  if (address.startsWith('b-')) return RETURN
  if (!address.startsWith('inbox-')) return null
  return { kind: 'inbox', address, target: { inboxId: address, userId: 'ann', delivery: null } }
}

/** A conversation that has come to the text of a mail. */
export async function upToData(
  port: number,
  to = 'b-1@in.example.test',
  options: { from?: string } = {},
): Promise<Conversation> {
  const line = await aConversation(port, options)
  await line.reply()
  await line.say('EHLO mx.example.test')
  await line.say('MAIL FROM:<>')
  await line.say(`RCPT TO:<${to}>`)
  const answer = await line.say('DATA')
  if (!answer.startsWith('354 ')) throw new Error(`the receiver said ${answer}`)
  return line
}

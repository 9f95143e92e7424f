import { createReceiver, type ReceiverLimits } from '../inbound/receiver.ts'
import type { Recipient } from '../inbound/recipients.ts'
import { createLog } from '../platform/log.ts'
import { aConversation, type Conversation } from './smtp-conversation.ts'

const ANN: Recipient = { kind: 'return', delivery: { campaignId: 'c', seq: 1 } }

export type Taken = { returnPath: string; raw: string; recipients: number }
export type TestReceiver = AsyncDisposable & { port: number; taken: Taken[] }

/** A receiver that knows everybody whose name begins with `b-`, and keeps what it takes. */
export async function aReceiver(
  options: { limits?: Partial<ReceiverLimits>; store?: (raw: Buffer) => Promise<void> } = {},
): Promise<TestReceiver> {
  const taken: Taken[] = []
  const receiver = createReceiver({
    domain: 'in.example.test',
    log: createLog('silent'),
    recipientOf: async (address) => (address.startsWith('b-') ? ANN : null),
    async take(raw, recipients) {
      await options.store?.(raw)
      const [returnPath = '', ...lines] = raw.toString('latin1').split('\r\n')
      taken.push({ returnPath, raw: lines.join('\r\n'), recipients: recipients.length })
    },
    limits: { closeMs: 50, ...options.limits },
  })
  const port = await receiver.listen({ host: '127.0.0.1', port: 0 })
  return { port, taken, [Symbol.asyncDispose]: () => receiver.close() }
}

/** A conversation that has come to the text of a mail. */
export async function upToData(port: number, to = 'b-1@in.example.test'): Promise<Conversation> {
  const line = await aConversation(port)
  await line.reply()
  await line.say('EHLO mx.example.test')
  await line.say('MAIL FROM:<>')
  await line.say(`RCPT TO:<${to}>`)
  const answer = await line.say('DATA')
  if (!answer.startsWith('354 ')) throw new Error(`the receiver said ${answer}`)
  return line
}

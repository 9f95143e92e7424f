import {
  SESv2Client,
  SendBulkEmailCommand,
  type SendBulkEmailCommandInput,
  SendEmailCommand,
} from '@aws-sdk/client-sesv2'
import { onTestFinished } from 'vitest'
import type { SesSimulator } from './ses.ts'

/** Amazon's official client, pointed at a simulator. */
export function anSdk(
  ses: SesSimulator,
  credentials: Partial<{ accessKeyId: string; secretAccessKey: string }> = {},
) {
  const { accessKeyId, secretAccessKey } = ses
  const client = new SESv2Client({
    endpoint: ses.url.href,
    region: ses.region,
    credentials: { accessKeyId, secretAccessKey, ...credentials },
    maxAttempts: 1,
  })
  onTestFinished(() => client.destroy())
  return client
}

export const FROM = '"Jane" <mail@postrider.localhost>'
export const aBulk = (to: readonly string[], parts: Partial<SendBulkEmailCommandInput> = {}) =>
  new SendBulkEmailCommand({
    FromEmailAddress: FROM,
    DefaultContent: {
      Template: {
        TemplateContent: { Subject: 'Hi {{n}}', Text: 'Dear {{n}}', Html: '<p>{{n}} {{{n}}}</p>' },
        TemplateData: '{"n":"friend"}',
        Headers: [{ Name: 'X-All', Value: '1' }],
      },
    },
    BulkEmailEntries: to.map((address) => ({
      Destination: { ToAddresses: [address] },
      ReplacementTags: [{ Name: 'mid', Value: 'm1' }],
      ReplacementHeaders: [{ Name: 'X-Own', Value: address }],
    })),
    ...parts,
  })

export const aMail = (to: string[], data = 'Hello') =>
  new SendEmailCommand({
    FromEmailAddress: FROM,
    Destination: { ToAddresses: to },
    Content: {
      Simple: { Subject: { Data: 'Hi', Charset: 'UTF-8' }, Body: { Text: { Data: data } } },
    },
  })

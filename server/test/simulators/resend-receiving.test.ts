import { Resend } from 'resend'
import { expect, it } from 'vitest'
import { startResendSimulator } from './resend.ts'

const MAIL = { raw: Buffer.from('Subject: x\r\n\r\n\xff'), from: 'bob@x.test', to: ['ann@in.test'] }

it('received mail is told of and given as Resend’s own client expects it', async () => {
  const resend = await startResendSimulator()
  const client = new Resend(resend.apiKey, { baseUrl: resend.url.origin })
  const { headers, body } = resend.receiving.notice(MAIL)
  const event = client.webhooks.verify({
    payload: body.toString('utf8'),
    headers: {
      id: headers['svix-id'] ?? '',
      timestamp: headers['svix-timestamp'] ?? '',
      signature: headers['svix-signature'] ?? '',
    },
    webhookSecret: resend.receiving.secret,
  })
  if (event.type !== 'email.received') throw new Error(event.type)
  const { data } = await client.emails.receiving.get(event.data.email_id, { html_format: 'cid' })
  const file = await fetch(data?.raw?.download_url ?? '')
  expect(Buffer.from(await file.arrayBuffer())).toEqual(MAIL.raw)
  await resend.close()
})

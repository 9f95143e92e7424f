import { createTransport } from 'nodemailer'
import { htmlOf } from '../server/delivery/html-alternative.ts'
import { recipientOf, theLetter } from './letter.ts'

// The anchor: what people write by hand. Nodemailer's own pool, ten connections, the same letter; nothing is stored.
//
//   node bench/nodemailer-loop.ts PORT MESSAGES
const [port = '0', count = '0'] = process.argv.slice(2)
const { subject, senderName, replyTo, body } = theLetter()
const transporter = createTransport({
  pool: true,
  host: '127.0.0.1',
  port: Number(port),
  secure: false,
  ignoreTLS: true,
  maxConnections: 10,
  maxMessages: Number.POSITIVE_INFINITY,
})
const html = htmlOf(body)
let next = 1
const began = performance.now()

async function sendSome(): Promise<void> {
  while (next <= Number(count)) {
    const to = recipientOf(next++)
    await transporter.sendMail({
      from: { name: senderName, address: 'mail@postrider.localhost' },
      to,
      replyTo,
      subject,
      text: body,
      html,
    })
  }
}
await Promise.all(Array.from({ length: 20 }, sendSome))
process.stdout.write(`${JSON.stringify({ ms: performance.now() - began })}\n`)
transporter.close()

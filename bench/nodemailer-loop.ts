import { createTransport } from 'nodemailer'
import { htmlOf } from '../server/delivery/html-alternative.ts'
import { recipientOf, theLetter } from './letter.ts'

// The anchor: what people write by hand. Nodemailer's own pool, ten connections, the same mail, with links of each
// recipient's own filled in; nothing is stored.
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
const MARK = 'token'.padEnd(48, '-')
const unsubscribeUrl = `http://localhost:3000/u/${MARK}`
const html = htmlOf(body, { unsubscribeUrl, pixelUrl: `http://localhost:3000/t/${MARK}.gif` })
const text = `${body}\n\n-- \nUnsubscribe: ${unsubscribeUrl}\n`
let next = 1
const began = performance.now()

async function sendSome(): Promise<void> {
  while (next <= Number(count)) {
    const token = String(next).padStart(48, '0')
    const to = recipientOf(next++)
    await transporter.sendMail({
      from: { name: senderName, address: 'mail@postrider.localhost' },
      to,
      replyTo,
      subject,
      text: text.replaceAll(MARK, token),
      html: html.replaceAll(MARK, token),
      headers: {
        'List-Unsubscribe': `<${unsubscribeUrl.replaceAll(MARK, token)}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    })
  }
}
await Promise.all(Array.from({ length: 20 }, sendSome))
process.stdout.write(`${JSON.stringify({ ms: performance.now() - began })}\n`)
transporter.close()

import { startMailgunSimulator } from './simulators/mailgun.ts'
import { startSendgridSimulator } from './simulators/sendgrid.ts'
import { startSesSimulator } from './simulators/ses.ts'

// For `npm run dev`: the vendors on loopback, so that every provider can be tried without an account anywhere. Tells its
// parent how to reach them, and ends with it.
const DOMAIN = 'postrider.localhost'
const [sendgrid, mailgun, ses] = await Promise.all([
  startSendgridSimulator({ domains: [{ domain: DOMAIN, valid: true }] }),
  startMailgunSimulator({ domains: [DOMAIN] }),
  startSesSimulator({ identities: { [DOMAIN]: true } }),
])
process.send?.({
  env: {
    SENDGRID_BASE_URL: sendgrid.url.href,
    MAILGUN_BASE_URL: mailgun.url.href,
    SES_BASE_URL: ses.url.href,
  },
  credentials: [
    `SendGrid   API key ${sendgrid.apiKey}`,
    `Mailgun    API key ${mailgun.apiKey}`,
    `Amazon SES access key id ${ses.accessKeyId}, secret access key ${ses.secretAccessKey}, region ${ses.region}`,
  ],
})
process.on('disconnect', () => process.exit(0))

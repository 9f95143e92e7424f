import { startMailgunSimulator } from './simulators/mailgun.ts'
import { startSendgridSimulator } from './simulators/sendgrid.ts'
import { startSesSimulator } from './simulators/ses.ts'
import { startTelegramSimulator } from './simulators/telegram.ts'
import { DOCUMENTED_LIMITS } from './simulators/telegram-limits.ts'

// For `npm run dev`: the vendors on loopback, so that every provider can be tried without an account anywhere. Tells its
// parent how to reach them, and ends with it.
const DOMAIN = 'postrider.localhost'
/** The same people at every start: whoever is linked already stays so. */
const PLAYERS = [
  { firstName: 'Ann', username: 'ann', id: 6_012_345_001, hasStarted: true },
  { firstName: 'Bob', id: 6_012_345_002, hasStarted: true },
]
const [sendgrid, mailgun, ses, telegram] = await Promise.all([
  startSendgridSimulator({ domains: [{ domain: DOMAIN, valid: true }] }),
  startMailgunSimulator({ domains: [DOMAIN] }),
  startSesSimulator({ identities: { [DOMAIN]: true } }),
  startTelegramSimulator({
    limits: DOCUMENTED_LIMITS,
    players: PLAYERS,
    username: 'postrider_dev_bot',
    firstMessageId: Math.floor(Date.now() / 1000) - 1_700_000_000,
  }),
])
process.send?.({
  env: {
    SENDGRID_BASE_URL: sendgrid.url.href,
    MAILGUN_BASE_URL: mailgun.url.href,
    SES_BASE_URL: ses.url.href,
    TELEGRAM_API_ROOT: telegram.apiRoot,
    TELEGRAM_BOT_TOKEN: telegram.token,
  },
  credentials: [
    `SendGrid   API key ${sendgrid.apiKey}`,
    `Mailgun    API key ${mailgun.apiKey}`,
    `Amazon SES access key id ${ses.accessKeyId}, secret access key ${ses.secretAccessKey}, region ${ses.region}`,
  ],
  chat: telegram.chatUrl.href,
})
process.on('disconnect', () => process.exit(0))

import type { Page } from 'playwright-core'
import { type MailgunSimulator, startMailgunSimulator } from '../server/test/simulators/mailgun.ts'
import { type SendgridSimulator, startSendgridSimulator } from '../server/test/simulators/sendgrid.ts'
import { type SesSimulator, startSesSimulator } from '../server/test/simulators/ses.ts'
import { type SmtpSimulator, startSmtpSimulator } from '../server/test/simulators/smtp.ts'
import { aMember, type Member, test } from './harness.ts'
import { aSite, type Site } from './site.ts'
import { heading } from './steps.ts'

export const RELAY_USER = { user: 'ann', pass: 'a password of the relay' }

/** A relay that asks for a user, one that asks for none, and the vendors: each as it answers in the world. */
export type Outside = {
  relay: SmtpSimulator
  openRelay: SmtpSimulator
  sendgrid: SendgridSimulator
  mailgun: MailgunSimulator
  ses: SesSimulator
}

type Fixtures = {
  $file: { outside: Outside; site: Site }
  $test: { owner: Member; settingsPage: Page }
}

const providersTest = test.extend<Fixtures>({
  outside: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture needs
    async ({}, use) => {
      const [relay, openRelay, sendgrid, mailgun, ses] = await Promise.all([
        startSmtpSimulator({ auth: RELAY_USER }),
        startSmtpSimulator(),
        startSendgridSimulator(),
        startMailgunSimulator(),
        startSesSimulator(),
      ])
      await use({ relay, openRelay, sendgrid, mailgun, ses })
      await Promise.all([relay, openRelay, sendgrid, mailgun, ses].map((one) => one.close()))
    },
    { scope: 'file' },
  ],
  site: [
    async ({ outside: { relay, openRelay, sendgrid, mailgun, ses } }, use) => {
      await using site = await aSite({
        ALLOW_PRIVATE_HOSTS: `${relay.url.host},${openRelay.url.host}`,
        SENDGRID_BASE_URL: sendgrid.url.href,
        MAILGUN_BASE_URL: mailgun.url.href,
        SES_BASE_URL: ses.url.href,
      })
      await use(site)
    },
    { scope: 'file' },
  ],
  // Everyone has settings of their own, and journeys go side by side: so each test has its own account.
  owner: async ({ site }, use) => use(await aMember(site)),
  settingsPage: async ({ page, context, owner }, use) => {
    await owner.signIn(context)
    await page.goto('/settings')
    await heading(page, 'Settings').waitFor()
    await use(page)
  },
})

/** A journey on an installation whose users have providers of their own, all of them on loopback. */
export const providerJourney = providersTest.concurrent

import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type SmtpSimulator, startSmtpSimulator } from '../server/test/simulators/smtp.ts'
import { aMember, eventually, type Member, test } from './harness.ts'
import { SENDER, SETTINGS } from './settings-steps.ts'
import { aSite, type Site } from './site.ts'
import { button, heading } from './steps.ts'

type Relays = { refusing: SmtpSimulator; silent: SmtpSimulator }
type Fixtures = { $file: { relays: Relays; site: Site }; $test: { owner: Member } }

/** A relay for each journey: what the one is told to do wrong must not happen to the other. */
const it = test.extend<Fixtures>({
  relays: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture needs
    async ({}, use) => {
      const [refusing, silent] = await Promise.all([startSmtpSimulator(), startSmtpSimulator()])
      await use({ refusing, silent })
      await Promise.all([refusing.close(), silent.close()])
    },
    { scope: 'file' },
  ],
  site: [
    async ({ relays: { refusing, silent } }, use) => {
      await using site = await aSite({ ALLOW_PRIVATE_HOSTS: `${refusing.url.host},${silent.url.host}` })
      await use(site)
    },
    { scope: 'file' },
  ],
  owner: async ({ site }, use) => use(await aMember(site)),
}).concurrent

/** Sends by a relay of the user's own, and opens the page of what was sent. */
async function sendBy(
  relay: SmtpSimulator,
  { owner, page }: { owner: Member; page: Page },
  recipients: string[],
): Promise<string> {
  const client = await owner.client()
  const { hostname, port } = relay.url
  const account = { provider: 'smtp', smtpHost: hostname, smtpPort: Number(port), ...SENDER }
  const saved = await client.post(SETTINGS, { ...account, smtpUser: '', smtpPassword: '' })
  expect(saved.status, saved.text).toBe(200)
  const sent = await client.post('/api/send-email', { recipients, subject: 'News', body: 'Hello' })
  expect(sent.status, sent.text).toBe(200)
  const { id } = sent.json() as { id: string }
  await owner.signIn(page.context())
  await page.goto(`/history/${id}`)
  await heading(page, 'News').waitFor()
  return id
}

const taken = ({ ledger }: SmtpSimulator, address: string): number =>
  ledger.filter(({ to }) => to.includes(address)).length

describe('what did not arrive', () => {
  it('is sent again to those who failed, and to nobody else', async ({ owner, page, relays }) => {
    const { refusing: relay } = relays
    relay.failNext({ stage: 'rcpt', does: { code: 550, text: 'Mailbox unavailable' } })
    const people = ['one@failed.test', 'two@failed.test', 'three@failed.test']
    await sendBy(relay, { owner, page }, people)
    await page.getByText('1 failed', { exact: true }).waitFor()
    await page
      .getByText(/Mailbox unavailable/)
      .first()
      .waitFor()
    await button(page, 'Retry failed').click()
    await page.getByRole('status').filter({ hasText: 'Finished: 3 accepted' }).waitFor()
    expect(people.map((address) => taken(relay, address))).toEqual([1, 1, 1])
    expect(await button(page, 'Retry failed').count()).toBe(0)
  })

  it('is never sent again by itself when nobody knows, and only after a warning when asked', async ({
    owner,
    page,
    relays,
  }) => {
    const { silent: relay } = relays
    relay.failNext({ stage: 'dot', does: 'drop', afterAccepting: true })
    await sendBy(relay, { owner, page }, ['doubt@unknown.test'])
    await page.getByText('1 unconfirmed', { exact: true }).waitFor()
    await page.getByText('Postrider stopped while this mail was on its way').waitFor()
    await page.getByText('It is never sent again by itself.').waitFor()
    expect(taken(relay, 'doubt@unknown.test')).toBe(1)

    await button(page, 'Resend to unconfirmed').click()
    const dialog = page.getByRole('dialog', { name: 'Resend to unconfirmed?' })
    await dialog.getByText('This recipient may get this email twice.').waitFor()
    await dialog.getByText('Whoever is on your suppression list is left out.').waitFor()
    await dialog.getByRole('listitem').filter({ hasText: 'doubt@unknown.test' }).waitFor()
    await dialog.getByRole('button', { name: 'Leave them' }).click()
    await dialog.waitFor({ state: 'detached' })
    await eventually(() => button(page, 'Resend to unconfirmed').and(page.locator(':focus')).count()).toBe(1)
    expect(taken(relay, 'doubt@unknown.test')).toBe(1)

    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Resend to 1' }).click()
    await page.getByRole('status').filter({ hasText: 'Finished: 1 accepted' }).waitFor()
    await eventually(() => taken(relay, 'doubt@unknown.test')).toBe(2)
    expect(
      await page.getByText('unconfirmed', { exact: false }).filter({ hasText: '1 unconfirmed' }).count(),
    ).toBe(0)
  })
})

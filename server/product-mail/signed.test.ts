import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dkimVerify } from 'mailauth'
import { expect, it } from 'vitest'
import { dkimRecord, keepDkimKey } from '../platform/dkim-key.ts'
import { anAddress, aUser, register } from '../test/accounts.ts'
import { finished, recipients, send } from '../test/campaigns.ts'
import { aRunningApp } from '../test/running-app.ts'
import { startSmtpSimulator } from '../test/simulators/smtp.ts'
import { until } from '../test/until.ts'

it('a mail of the product and every mail of a campaign is signed on its way to the relay, each by itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-signed-'))
  const keyFile = join(folder, 'dkim.pem')
  const relay = await startSmtpSimulator()
  const record = dkimRecord('sel', 'example.test', await keepDkimKey(keyFile))
  {
    await using running = await aRunningApp({
      SMTP_URL: relay.url.href,
      MAIL_FROM: 'mail@example.test',
      DKIM_SELECTOR: 'sel',
      DKIM_KEY_FILE: keyFile,
    })
    await register(running.browser(), anAddress())
    await until('the code has left', async () => relay.ledger.length === 1)
    const ann = await aUser(running)
    const { id } = await send(ann.browser, { recipients: recipients(20), body: '.dots\n\nGrüße 👍🏽' })
    await finished(ann.browser, id)
  }
  expect(relay.ledger).toHaveLength(21)
  for (const { raw, to } of relay.ledger) {
    const { results } = await dkimVerify(Buffer.from(raw), { resolver: async () => [[record.value]] })
    expect(
      results.map(({ signingDomain, selector, status }) => [signingDomain, selector, status.result]),
      to.join(),
    ).toEqual([['example.test', 'sel', 'pass']])
  }
  await relay.close()
  await rm(folder, { recursive: true })
})

import { describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { countDue, findCandidates } from '../delivery/store/candidates.ts'
import { holdAccount } from '../delivery/store/holds.ts'
import { step } from '../delivery/store/steps.ts'
import { createMetrics } from '../platform/metrics.ts'
import { createProductProvider } from '../providers/index.ts'
import { createOwnProvider, type OwnAccount } from '../providers/own-account.ts'
import {
  aStoredCampaign,
  claim,
  databaseOfFile,
  expireLease,
  fence,
  LATER,
  letTimePass,
  settled,
} from '../test/stored-campaign.ts'
import { addMetricsOfSending, PROVIDERS } from './metrics-of-sending.ts'

const file = databaseOfFile()

const OWN: Record<OwnAccount['provider'], Omit<OwnAccount, 'provider'>> = {
  smtp: { host: 'relay.x.test', port: 587, user: '', password: '' },
  sendgrid: { apiKey: 'key' },
  mailgun: { apiKey: 'key' },
  ses: { accessKeyId: 'id', secretAccessKey: 'secret', region: 'eu-west-1' },
}

async function everyProvider() {
  const { vendors, dkim } = readConfig({})
  const needs = {
    vendors,
    dial: () => () => Promise.reject(new Error('nobody calls')),
    isAllowedPrivate: () => false,
  }
  const own = Object.entries(OWN).map(([provider, account]) =>
    createOwnProvider({ provider, ...account } as OwnAccount, needs),
  )
  const product = [{}, { RESEND_API_KEY: 're_123' }, { SMTP_URL: 'smtp://relay.x.test' }].map((env) =>
    createProductProvider(readConfig(env).transport, { dkim, deposit: async () => [] }),
  )
  return [...own, ...(await Promise.all(product))]
}

describe('outcomes', () => {
  it('are told as 0 before the first, of every provider and kind, so that the first one is growth', async () => {
    const metrics = createMetrics()
    const observer = addMetricsOfSending(metrics, () => countDue(file.db))
    const before = await metrics.text()
    const series = before.match(/^postrider_outcomes_total\{.*\} 0$/gm) ?? []
    expect(series).toHaveLength(PROVIDERS.length * 5)
    observer.answered('Amazon SES', [{ kind: 'unknown' }])
    const after = (await metrics.text()).split('\n')
    const changed = after.filter((line) => line.startsWith('postrider_') && !before.includes(`${line}\n`))
    expect(changed).toEqual(['postrider_outcomes_total{provider="Amazon SES",outcome="unknown"} 1'])
  })

  it('are counted under the name by which each provider calls itself', async () => {
    const providers = await everyProvider()
    expect(new Set(providers.map(({ name }) => name))).toEqual(new Set(PROVIDERS))
    for (const provider of providers) await provider.close()
  })
})

describe('campaigns with mail that could leave now', () => {
  const due = async (): Promise<number> => {
    const metrics = createMetrics()
    addMetricsOfSending(metrics, () => countDue(file.db))
    const told = Number((await metrics.text()).match(/^postrider_campaigns_due (\d+)$/m)?.[1])
    const search = { mayTakeOver: true, limit: 100, full: [], served: [] }
    const candidates = await findCandidates(file.db, search)
    expect(told, 'as a worker looks for them').toBe(candidates.filter(({ todo }) => todo === 'send').length)
    return told
  }

  it('are those that no worker has in hand; paused, held or for later is not due', async () => {
    const { db } = file
    expect(await due()).toBe(0)
    const campaign = await aStoredCampaign(db, 2)
    expect(await due()).toBe(1)
    const setState = (state: 'paused' | 'sending') =>
      db.updateTable('runs').set({ state }).where('campaign_id', '=', campaign.id).execute()
    await setState('paused')
    expect(await due(), 'paused').toBe(0)
    await setState('sending')

    const window = await claim(db, campaign)
    expect(await due(), 'in hand').toBe(0)
    await expireLease(db, window.key)
    expect(await due(), 'left behind').toBe(1)

    const again = await claim(db, campaign, { mayTakeOver: true })
    await fence(db, again)
    await step(db, again.key, settled(again, LATER), [])
    expect(await due(), 'for later').toBe(0)
    await letTimePass(db, campaign)
    expect(await due(), 'later has come').toBe(1)
    await holdAccount(db, 'product', { milliseconds: 60_000, outage: 'away', isAsked: false })
    expect(await due(), 'the account is held').toBe(0)
  })
})

import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createMetrics } from '../platform/metrics.ts'
import { databaseOfFile } from '../test/stored-campaign.ts'
import { addMeasures } from './measures.ts'
import { addMetricsOfSending } from './metrics-of-sending.ts'

const file = databaseOfFile()
const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
const NAME = /\bpostrider_[a-z_]+/g

it('the rules for alerts know every metric that the manual tells to watch, and none that nobody tells', async () => {
  const metrics = createMetrics()
  addMeasures(metrics, file.db)
  addMetricsOfSending(metrics, async () => 0)
  const told = new Set((await metrics.text()).match(NAME))
  const [manual, rules] = await Promise.all(
    ['docs/operating.md', 'deploy/prometheus-alerts.yml'].map(
      async (path) => (await read(path)).match(NAME) ?? [],
    ),
  )
  const watched = new Set(rules)
  expect(watched.size).toBeGreaterThan(5)
  expect([...watched].filter((name) => !told.has(name))).toEqual([])
  expect(manual?.filter((name) => !watched.has(name))).toEqual([])
})

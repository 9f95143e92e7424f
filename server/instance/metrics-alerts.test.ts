import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createMetrics } from '../platform/metrics.ts'
import { databaseOfFile } from '../test/stored-campaign.ts'
import { addMeasures } from './measures.ts'
import { addMetricsOfSending } from './metrics-of-sending.ts'

const file = databaseOfFile()
const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
const manual = await read('docs/operating.md')
const rules = await read('deploy/prometheus-alerts.yml')

/** Of every metric that a process tells. */
async function names(): Promise<string[]> {
  const metrics = createMetrics()
  addMeasures(metrics, file.db)
  addMetricsOfSending(metrics, async () => 0)
  return [...(await metrics.text()).matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name)
}

it('the rules for alerts know every metric that the manual tells to watch, and none that nobody tells', async () => {
  const told = new Set(await names())
  const watched = new Set(rules.match(/\bpostrider_[a-z_]+/g))
  expect(watched.size).toBeGreaterThan(5)
  expect([...watched].filter((name) => !told.has(name))).toEqual([])
  const toWatch = [...manual.matchAll(/^\| `(postrider_[a-z_]+)/gm)].map(([, name = '']) => name)
  expect(toWatch.length).toBeGreaterThan(5)
  expect(toWatch.filter((name) => !watched.has(name))).toEqual([])
})

it('the manual names every metric, and how to be scraped so that the rules find the process', async () => {
  expect((await names()).filter((name) => !manual.includes(`\`${name}`))).toEqual([])
  const [, job] = /up\{job="(\w+)"\}/.exec(rules) ?? []
  expect(manual).toContain(`job_name: ${job}`)
})

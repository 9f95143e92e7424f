import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const SCENARIOS = 'server/test/faults/scenarios'

type Row = { number: string; files: string[]; alone: string }

describe('docs/promises.md', () => {
  const text = readFileSync('docs/promises.md', 'utf8')
  const rows = text
    .split('\n')
    .filter((line) => /^\| R\d+ \|/.test(line))
    .map((line): Row => {
      const [, number = '', , playedBy = '', alone = ''] = line.split('|').map((cell) => cell.trim())
      const files = [...playedBy.matchAll(/`([^`]+\.ts)`/g)].map(([, file = '']) =>
        file.includes('/') ? file : `${SCENARIOS}/${file}`,
      )
      return { number, files, alone }
    })
  const holders = rows.map(({ number }) => number)

  it('has a row for each promise and each invariant', () => {
    expect(holders).toEqual(Array.from({ length: 32 }, (_, index) => `R${index + 1}`))
    expect([...text.matchAll(/^\| (I\d) \|/gm)].map(([, number]) => number)).toEqual([
      'I1',
      'I2',
      'I3',
      'I4',
      'I5',
      'I6',
    ])
  })

  it('names files that exist, and every scenario at its promise', () => {
    expect(rows.flatMap(({ files }) => files).filter((file) => !existsSync(file))).toEqual([])
    const lost = readdirSync(SCENARIOS).filter((file) => {
      const number = /^r0?(\d+)-/.exec(file)?.[1]
      return (
        number && !rows.find((row) => row.number === `R${number}`)?.files.includes(`${SCENARIOS}/${file}`)
      )
    })
    expect(lost).toEqual([])
  })

  it('plays a promise alone by the words that its tests begin with', () => {
    const unplayed = rows.filter(
      ({ number, files, alone }) =>
        alone.startsWith('`npm run faults') &&
        !(
          alone.startsWith(`\`npm run faults -- ${number}\``) &&
          files.some((file) => readFileSync(file, 'utf8').includes(`'${number} `))
        ),
    )
    expect(unplayed).toEqual([])
  })
})

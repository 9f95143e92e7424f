import { appendFileSync } from 'node:fs'

/** One line of the table that `npm run faults` prints. */
type Figure = { scenario: string; what: string; demanded: string; measured: string; holds: boolean }

/** Figures that a scenario has to reach. All are measured before the first failure is told. */
export type Demands = {
  exactly(what: string, demanded: number | string, measured: number | string): void
  atMost(what: string, demanded: number, measured: number, unit?: string): void
  atLeast(what: string, demanded: number, measured: number, unit?: string): void
  /** An empty list is what is demanded; what is in it tells the failure. */
  none(what: string, found: readonly string[]): void
  /** Worth knowing, nothing is demanded. */
  note(what: string, measured: number | string, unit?: string): void
  /** Fails the test when a figure was not reached. */
  hold(): void
}

/** Where the table's lines are gathered from all test files; nowhere when the tests run on their own. */
const REPORT = process.env['FAULTS_REPORT']
const SHOWN = 5

export function demandsOf(scenario: string): Demands {
  const failures: string[] = []

  function add(what: string, demanded: string, measured: string, holds: boolean): void {
    const figure: Figure = { scenario, what, demanded, measured, holds }
    if (!holds) failures.push(`${what}: ${demanded} demanded, ${measured} measured`)
    if (REPORT) appendFileSync(REPORT, `${JSON.stringify(figure)}\n`)
  }
  const shown = (value: number | string, unit = ''): string =>
    `${typeof value === 'number' ? Math.round(value * 100) / 100 : value}${unit && ` ${unit}`}`

  return {
    exactly: (what, demanded, measured) => add(what, shown(demanded), shown(measured), demanded === measured),
    atMost: (what, demanded, measured, unit) =>
      add(what, `≤ ${shown(demanded, unit)}`, shown(measured, unit), measured <= demanded),
    atLeast: (what, demanded, measured, unit) =>
      add(what, `≥ ${shown(demanded, unit)}`, shown(measured, unit), measured >= demanded),
    none: (what, found) =>
      add(
        what,
        'none',
        found.length === 0 ? 'none' : `${found.length}: ${found.slice(0, SHOWN).join(', ')}`,
        found.length === 0,
      ),
    note: (what, measured, unit) => add(what, '', shown(measured, unit), true),
    hold() {
      if (failures.length > 0) throw new Error(`${scenario}\n${failures.join('\n')}`)
    },
  }
}

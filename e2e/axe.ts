import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const CHOICES = {
  all: [...WCAG, 'best-practice'],
  /** All that another theme can change. */
  colour: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
  /** Without the customs of web pages, such as landmarks, that a mail does not know. */
  wcag: WCAG,
} satisfies Record<string, RunOptions['runOnly']>

type WithAxe = typeof window & { axe: { run(options: RunOptions): Promise<AxeResults> } }

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Else axe writes out every element that it looks at; needed are those that it finds something wrong with. */
const WITHOUT_HTML = 'axe.configure({ noHtml: true })'

/** What axe finds wrong with the page as it stands, one line for each element; nothing at all is expected. */
export async function axe(page: Page, choice: keyof typeof CHOICES = 'all'): Promise<string[]> {
  // Half a megabyte, and most of the time that a look takes: once a page.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${await source}\n${WITHOUT_HTML}`)
  return page.evaluate(
    async (options) => {
      const { violations } = await (window as WithAxe).axe.run(options)
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ target, failureSummary, element }) =>
          [
            `${id}: ${help}`,
            `  at ${target.join(' ')}: ${element?.outerHTML.slice(0, 300)}`,
            `  ${failureSummary?.replaceAll('\n', '\n  ')}`,
          ].join('\n'),
        ),
      )
    },
    {
      runOnly: CHOICES[choice],
      resultTypes: ['violations'],
      elementRef: true,
      // The HTML of a mail runs no scripts, so axe would wait in vain for an answer from inside its frame.
      iframes: false,
      // Only a rule that is not among these reads the style sheets.
      preload: { assets: ['media'] },
    } satisfies RunOptions,
  )
}

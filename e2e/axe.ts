import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** All that another theme can change. */
const COLOUR = ['cat.color']

/** What axe finds wrong with the page as it stands, one line for each element; nothing at all is expected. */
export async function axe(page: Page, rules: 'all' | 'colour' = 'all'): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(rules === 'all' ? ALL : COLOUR)
    // The HTML of a mail runs no scripts, so axe would wait in vain for an answer from inside its frame.
    .options({ iframes: false })
    // Else the results are put together in a second page, which takes as long again.
    .setLegacyMode()
    .analyze()
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary, html }) =>
      [
        `${id}: ${help}`,
        `  at ${target.join(' ')}: ${html}`,
        `  ${failureSummary?.replaceAll('\n', '\n  ')}`,
      ].join('\n'),
    ),
  )
}

import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const CHOICES = {
  all: (builder: AxeBuilder) => builder.withTags([...WCAG, 'best-practice']),
  /** All that another theme can change. */
  colour: (builder: AxeBuilder) => builder.withRules(['color-contrast', 'link-in-text-block']),
  /** Without the customs of web pages, such as landmarks, that a mail does not know. */
  wcag: (builder: AxeBuilder) => builder.withTags(WCAG),
}

/** What axe finds wrong with the page as it stands, one line for each element; nothing at all is expected. */
export async function axe(page: Page, choice: keyof typeof CHOICES = 'all'): Promise<string[]> {
  const builder = new AxeBuilder({ page })
    // The HTML of a mail runs no scripts, so axe would wait in vain for an answer from inside its frame.
    .options({ iframes: false })
    // Else the results are put together in a second page, which takes as long again.
    .setLegacyMode()
  // Chosen last, for the options would replace it.
  const { violations } = await CHOICES[choice](builder).analyze()
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

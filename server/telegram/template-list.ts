import type { TemplatesService } from '../templates/service.ts'
import { pagePressOf } from './letter-presses.ts'
import { type Button, oneLine } from './markup.ts'

type Template = Awaited<ReturnType<TemplatesService['names']>>[number]

const PAGE = 6
const NAME_SHOWN = 40

/** Those used last come first; those never used follow, the newest first, as they come. */
const byUse = (templates: readonly Template[]): Template[] =>
  templates.toSorted((one, other) => (other.lastUsed?.getTime() ?? 0) - (one.lastUsed?.getTime() ?? 0))

/** A button for each template of a page, and those that turn the pages. */
export function templateButtons(
  templates: readonly Template[],
  page: number,
  { place, press }: { place: 'templates' | 'choose'; press: (template: Template, page: number) => string },
): Button[][] {
  const last = Math.max(0, Math.ceil(templates.length / PAGE) - 1)
  const shown = Math.min(page, last)
  const rows = byUse(templates)
    .slice(shown * PAGE, (shown + 1) * PAGE)
    .map((template) => [
      { text: oneLine(template.name, NAME_SHOWN) || 'Without a name', press: press(template, shown) },
    ])
  const turns: Button[] = [
    ...(shown > 0 ? [{ text: '‹ Back', press: pagePressOf(place, shown - 1) }] : []),
    ...(shown < last ? [{ text: 'More ›', press: pagePressOf(place, shown + 1) }] : []),
  ]
  return turns.length > 0 ? [...rows, turns] : rows
}

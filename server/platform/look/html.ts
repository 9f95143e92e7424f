import { escapeHtml } from '../escape-html.ts'

/** Markup that is safe to send: everything put into an `html` template is escaped unless it is markup itself. */
export type Markup = { readonly markup: string }

type Value = Markup | readonly Markup[] | string | number

export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Markup => ({
  markup: parts.reduce((text, part, index) => text + toMarkup(values[index - 1] ?? '') + part),
})

function toMarkup(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'markup' in value ? value.markup : value.map(toMarkup).join('')
}

/** What a template cannot be made a mail of. Amazon takes such a mail, and reports the failure later. */
export class RenderingFailure extends Error {
  override name = 'RenderingFailure'
}

/**
 * The simple substitutions that Amazon makes in a template which comes with the call, with all that a reader of
 * Handlebars does besides: a backslash before braces takes their meaning from them, three braces escape nothing, and
 * what does not close as it opened is no template.
 */
export function expand(template: string, data: Readonly<Record<string, unknown>>): string {
  let text = ''
  let at = 0
  for (let open = template.indexOf('{{'); open >= 0; open = template.indexOf('{{', at)) {
    const before = template.slice(at, open)
    if (before.endsWith('\\') && !before.endsWith('\\\\')) {
      text += `${before.slice(0, -1)}{{`
      at = open + 2
      continue
    }
    text += before.endsWith('\\\\') ? before.slice(0, -1) : before
    const [whole, name, isRaw] = variableAt(template, open)
    if (!Object.hasOwn(data, name))
      throw new RenderingFailure(`Attribute '${name}' is not present in the rendering data.`)
    text += isRaw ? String(data[name]) : escaped(String(data[name]))
    at = open + whole.length
  }
  return text + template.slice(at)
}

const RAW = /\{\{\{\s*([A-Za-z_][\w.]*)\s*\}\}\}/y
const ESCAPED = /\{\{\s*([A-Za-z_][\w.]*)\s*\}\}(?!\})/y

function variableAt(template: string, open: number): [whole: string, name: string, isRaw: boolean] {
  for (const form of [RAW, ESCAPED]) {
    form.lastIndex = open
    const match = form.exec(template)
    if (match?.[1] !== undefined) return [match[0], match[1], form === RAW]
  }
  throw new RenderingFailure(`The template does not parse near '${template.slice(open, open + 20)}'`)
}

const SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '`': '&#x60;',
  '=': '&#x3D;',
}
const escaped = (text: string): string => text.replace(/[&<>"'`=]/g, (sign) => SIGNS[sign] ?? sign)

import { z } from 'zod'
import { escapeHtml } from '../platform/escape-html.ts'

/** What a mail of the product itself says. The layout decides how it looks, once for all of them. */
export const MailContent = z.object({
  /** The line that mail programs show beside the subject. */
  preview: z.string(),
  heading: z.string(),
  /** Paragraphs before the code or the button. */
  intro: z.array(z.string()),
  /** Stands large and alone on its line. */
  code: z.string().optional(),
  button: z.object({ label: z.string(), url: z.url({ protocol: /^https?$/ }) }).optional(),
  /** Paragraphs after: how long it is valid, what to do when it was not you. */
  outro: z.array(z.string()).optional(),
  /** Why this person got this mail. */
  reason: z.string(),
})
export type MailContent = z.infer<typeof MailContent>

/** The same ink and paper as the application; mail programs know no custom properties. */
const LIGHT = {
  paper: '#faf7f2',
  card: '#ffffff',
  line: '#e5dfd3',
  ink: '#131a2e',
  soft: '#454e63',
  muted: '#5d667a',
}
const DARK = {
  paper: '#0a0f1e',
  card: '#111829',
  line: '#222c44',
  ink: '#e8ecf6',
  soft: '#b9c1d3',
  muted: '#8e99b0',
}
const ACCENT = '#d13f12'
const SANS = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace"

export const renderMail = (content: MailContent): { html: string; text: string } => ({
  html: renderHtml(content),
  text: renderText(content),
})

function renderText({ heading, intro, code, button, outro = [], reason }: MailContent): string {
  const blocks = [
    heading,
    ...intro,
    ...(code === undefined ? [] : [`    ${code}`]),
    ...(button === undefined ? [] : [`${button.label}:\n${button.url}`]),
    ...outro,
    `-- \nPostrider\n${reason}`,
  ]
  return `${blocks.join('\n\n')}\n`
}

function renderHtml({ preview, heading, intro, code, button, outro = [], reason }: MailContent): string {
  return `<!doctype html>
<html lang="en" dir="ltr" xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${escapeHtml(heading)}</title>
<style>${STYLES}</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:${LIGHT.paper};-webkit-text-size-adjust:100%">
<div style="max-height:0;max-width:0;overflow:hidden;opacity:0;mso-hide:all">${escapeHtml(preview)}${PADDING}</div>
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:${LIGHT.paper}">
<tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px">
<tr><td style="padding:0 4px 16px">${MARK}</td></tr>
<tr><td class="card pad" style="background-color:${LIGHT.card};border:1px solid ${LIGHT.line};border-radius:12px;padding:36px 40px">
<h1 class="ink" style="margin:0 0 16px;font:600 22px/1.3 ${SANS};letter-spacing:-0.01em;color:${LIGHT.ink}">${escapeHtml(heading)}</h1>
${intro.map((text) => paragraph(text, 'soft', LIGHT.soft)).join('\n')}
${code === undefined ? '' : codeLine(code)}
${button === undefined ? '' : buttonLine(button)}
${outro.map((text) => paragraph(text, 'soft', LIGHT.soft)).join('\n')}
${button === undefined ? '' : plainLink(button.url)}
</td></tr>
<tr><td class="muted" style="padding:20px 4px 0;font:13px/1.5 ${SANS};color:${LIGHT.muted}">${escapeHtml(reason)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

/** Mail programs fill the preview with what follows; blanks that take no room keep the body's first words out of it. */
const PADDING = '&#847;&zwnj;&nbsp;'.repeat(60)

/** Words and a coloured cell: it shows with images off, and nothing is fetched when the mail is opened. */
const MARK = `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td width="10" height="22" style="width:10px;background-color:${ACCENT};border-radius:3px;font-size:0;line-height:0">&nbsp;</td><td class="ink" style="padding-left:10px;font:700 17px/22px ${SANS};letter-spacing:-0.01em;color:${LIGHT.ink}">Postrider</td></tr></table>`

const paragraph = (text: string, name: string, colour: string): string =>
  `<p class="${name}" style="margin:0 0 16px;font:16px/1.6 ${SANS};color:${colour}">${withLinks(text)}</p>`

/** Web addresses in a sentence can be clicked; the full stop after one is not part of it. */
const withLinks = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)])/)
    .map((part, index) =>
      index % 2 === 1
        ? `<a class="link" href="${escapeHtml(part)}" target="_blank" style="color:${LIGHT.soft}">${escapeHtml(part)}</a>`
        : escapeHtml(part),
    )
    .join('')

const codeLine = (code: string): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr><td class="code" align="center" style="background-color:${LIGHT.paper};border:1px solid ${LIGHT.line};border-radius:8px;padding:20px 8px;font:700 36px/1.2 ${MONO};letter-spacing:0.18em;text-indent:0.18em;color:${LIGHT.ink}">${escapeHtml(code)}</td></tr></table>`

/** The cell carries the colour and the link the room, so that it is a button in Outlook as well. */
const buttonLine = ({ label, url }: { label: string; url: string }): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr><td align="center" style="background-color:${ACCENT};border-radius:8px"><a href="${escapeHtml(url)}" target="_blank" style="display:inline-block;padding:13px 24px;border:1px solid ${ACCENT};border-radius:8px;font:600 16px/20px ${SANS};color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>`

const plainLink = (url: string): string =>
  `<p class="muted rule" style="margin:24px 0 0;padding-top:20px;border-top:1px solid ${LIGHT.line};font:13px/1.5 ${SANS};color:${LIGHT.muted}">If the button does not work, copy this link into your browser:<br><a class="link" href="${escapeHtml(url)}" target="_blank" style="color:${LIGHT.soft};word-break:break-all">${escapeHtml(url)}</a></p>`

const dark = (selector: (name: string) => string): string =>
  `${selector('paper')}{background-color:${DARK.paper}!important}${selector('card')}{background-color:${DARK.card}!important;border-color:${DARK.line}!important}${selector('code')}{background-color:${DARK.paper}!important;border-color:${DARK.line}!important;color:${DARK.ink}!important}${selector('rule')}{border-color:${DARK.line}!important}${selector('ink')}{color:${DARK.ink}!important}${selector('soft')},${selector('link')}{color:${DARK.soft}!important}${selector('muted')}{color:${DARK.muted}!important}`

/** Outlook's apps mark what they darkened with an attribute instead of answering the media query. */
const STYLES = `:root{color-scheme:light dark;supported-color-schemes:light dark}@media (prefers-color-scheme:dark){${dark((name) => `.${name}`)}}${dark((name) => `[data-ogsc] .${name}`)}@media (max-width:480px){.pad{padding:28px 20px!important}.code{font-size:30px!important}}`

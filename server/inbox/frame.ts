/** The page around the HTML of a mail, for a frame that runs nothing and reaches nothing of ours. */

type FrameOptions = { images: boolean; theme: 'light' | 'dark' }

/**
 * The mail shows its own text and pictures, and opens links in a new tab. Even if something harmful were left in it, it
 * could neither run nor call: by this header and by the sandbox of the frame.
 */
export const framePolicy = ({ images }: Pick<FrameOptions, 'images'>): string =>
  [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data:${images ? ' https: http:' : ''}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ')

/** Says itself how it wants to look: dark letters of its own on a dark ground of ours would be gone. */
const OWN_COLOURS = /[\s"';{](?:color|background|background-color)\s*:|\s(?:bgcolor|background|color)\s*=/i

const PAPER = 'color-scheme: light; background: #ffffff; color: #131a2e'
const NIGHT = 'color-scheme: dark; background: #111829; color: #e8ecf6'

export function framePage(html: string, { images, theme }: FrameOptions): string {
  const isDark = theme === 'dark' && !OWN_COLOURS.test(html)
  const body = images ? html.replaceAll(' data-remote-src="', ' src="') : html
  return `<!doctype html>
<html lang="">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<base target="_blank">
<title>Message</title>
<style>
:root { ${isDark ? NIGHT : PAPER} }
body { margin: 0; padding: 16px; font: 15px/1.6 system-ui, sans-serif; overflow-wrap: anywhere }
@media (min-width: 600px) and (max-width: 648px) { body { padding-inline: clamp(0px, (100vw - 616px) / 2, 16px) } }
img, video, table { max-width: 100% }
img { height: auto }
img[data-remote-src] { min-width: 16px; min-height: 16px; outline: 1px dashed #8d8778 }
pre { white-space: pre-wrap }
a { color: ${isDark ? '#ff8358' : '#b83608'} }
blockquote { margin: 8px 0; padding-left: 12px; border-left: 3px solid ${isDark ? '#222c44' : '#e5dfd3'} }
details > summary { width: max-content; padding: 0 8px; border-radius: 8px; cursor: pointer; color: ${isDark ? '#8e99b0' : '#5d667a'}; background: ${isDark ? '#1a2338' : '#f3efe7'} }
</style>
</head>
<body>
${body}
</body>
</html>
`
}

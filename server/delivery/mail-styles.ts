/**
 * Rules for mail programs that would change how a text looks. They also make a document of what would be a picture and
 * a few words: filters take a mail of less than 3,200 bytes of HTML with a picture in it, seen or unseen, for an
 * advertisement. Only a mail with a picture carries them.
 */
export const MAIL_STYLES = `<!--[if mso]>
<noscript><xml><o:OfficeDocumentSettings>
<o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch>
</o:OfficeDocumentSettings></xml></noscript>
<style>body, div, p, a { font-family: Arial, sans-serif !important }</style>
<![endif]-->
<style>
/* Phones enlarge text by themselves; the size is the reader's choice. */
html, body {
  -webkit-text-size-adjust: 100%;
  -ms-text-size-adjust: 100%;
  text-size-adjust: 100%;
}
body { width: 100%; min-width: 100%; }
p { margin: 0 0 1em; }
p:last-child { margin-bottom: 0; }
/* Each paragraph in its own direction, whatever surrounds it. */
p[dir="auto"] { unicode-bidi: plaintext; text-align: start; }
p { -webkit-hyphens: manual; hyphens: manual; word-break: normal; }
img { border: 0; outline: none; text-decoration: none; }
a { text-decoration: underline; overflow-wrap: anywhere; }
a:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
/* Dates, addresses and numbers that a program makes links of by itself. */
a[x-apple-data-detectors] {
  color: inherit !important;
  font: inherit !important;
  line-height: inherit !important;
  text-decoration: none !important;
}
u + #body a {
  color: inherit;
  font: inherit;
  line-height: inherit;
  text-decoration: none;
}
#MessageViewBody a {
  color: inherit;
  font: inherit;
  line-height: inherit;
  text-decoration: none;
}
span.yshortcuts, span.yshortcuts:hover, span.yshortcuts:active {
  color: inherit;
  background: none;
  border: 0;
}
/* Web mail that sets its own line height around a mail. */
.ExternalClass { width: 100%; }
.ExternalClass, .ExternalClass p, .ExternalClass span,
.ExternalClass font, .ExternalClass td, .ExternalClass div {
  line-height: inherit;
}
/* Programs that show a mail in the dark only when it says it can be. */
:root {
  color-scheme: light dark;
  supported-color-schemes: light dark;
}
@media (prefers-color-scheme: dark) {
  a { color: #9db8ff; }
}
[data-ogsc] a { color: #9db8ff !important; }
@media (forced-colors: active) {
  a { color: LinkText; }
}
/* Whoever asks for more contrast gets it in the small print too. */
@media (prefers-contrast: more) {
  p { opacity: 1 !important; }
  a { text-decoration-thickness: 2px; }
}
/* A narrow screen needs its width for the words. */
@media only screen and (max-width: 480px) {
  body { padding: 12px !important; }
  p { font-size: 16px; line-height: 1.5; }
  div { max-width: 100% !important; }
}
/* On paper a link is no use; the words are. */
@media print {
  body { padding: 0 !important; color: #000; background: #fff; }
  div { max-width: none !important; }
  a { color: inherit; }
  p { orphans: 3; widows: 3; }
}
</style>
`

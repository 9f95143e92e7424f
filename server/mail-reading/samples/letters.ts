/** Mails as the programs of people write them, made up for the purpose. */

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const mail = (lines: string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`.replace(/\r?\n/g, '\r\n'))
const inBase64 = (text: string): string => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\n')

/** An HTML mail with nothing around it. */
export const page = (html: string, headers: string[] = []): Buffer =>
  mail([
    'From: Ann Example <ann@example.com>',
    'To: me@x.test',
    'Subject: Hello',
    ...headers,
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    inBase64(html),
  ])

const both = (headers: string[], text: string, html: string): Buffer =>
  mail([
    'MIME-Version: 1.0',
    ...headers,
    'Content-Type: multipart/alternative; boundary="=_alt"',
    '',
    '--=_alt',
    'Content-Type: text/plain; charset="utf-8"',
    'Content-Transfer-Encoding: 8bit',
    '',
    text,
    '--=_alt',
    'Content-Type: text/html; charset="utf-8"',
    'Content-Transfer-Encoding: base64',
    '',
    inBase64(html),
    '--=_alt--',
  ])

export const NEWSLETTER = both(
  [
    'From: "Garden Weekly" <news@garden.example>',
    'To: me@x.test',
    'Subject: =?utf-8?Q?=F0=9F=8C=B7_Tulips_are_back?=',
    'List-Unsubscribe: <https://garden.example/u/1>',
    'Precedence: bulk',
    'Date: Tue, 5 May 2026 07:00:00 +0000',
  ],
  'Tulips are back.\n\nRead on: https://garden.example/tulips',
  `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8">
<style type="text/css">body{margin:0;padding:0} .button{background:#1a7f37 url(https://garden.example/b.png) repeat-x;border-radius:4px} td.footer{font-size:11px;color:#888888}
@media only screen and (max-width:480px){.button{display:block !important}}</style>
<!--[if mso]><style>.button{mso-hide:all}</style><![endif]--></head>
<body bgcolor="#f4f4f4" style="margin:0">
<div style="display:none;max-height:0;overflow:hidden">The hidden first line &zwnj;&nbsp;&zwnj;&nbsp;</div>
<table width="100%" cellpadding="0" cellspacing="0" border="0" role="presentation"><tr><td align="center" bgcolor="#f4f4f4">
<table width="600" cellpadding="20" cellspacing="0" style="width:600px;background-color:#ffffff;font-family:'Helvetica Neue',Arial,sans-serif">
<tr><td valign="top"><img src="https://garden.example/logo.png" width="200" height="50" alt="Garden Weekly" style="display:block"></td></tr>
<tr><td style="padding:20px;font-size:16px;line-height:1.5;color:#333333"><h1 style="margin:0 0 10px">Tulips are back</h1>
<p>All of them, <strong>today</strong> only.</p>
<a class="button" href="https://garden.example/tulips?utm_source=mail&amp;id=7" style="color:#ffffff;padding:10px 20px">See them</a></td></tr>
<tr><td class="footer">You get this because you asked for it.</td></tr></table></td></tr></table>
<img src="https://track.garden.example/o.gif?u=1" width="1" height="1"></body></html>`,
)

export const OUTLOOK = mail([
  'From: Bob Baker <bob@corp.example>',
  'To: Ann <ann@x.test>',
  'Subject: RE: Offer',
  'Message-ID: <AM0PR@corp.example>',
  'In-Reply-To: <offer-1@x.test>',
  'References: <offer-1@x.test>',
  'Date: Wed, 6 May 2026 09:12:00 +0200',
  'Content-Type: multipart/related; boundary="_004_"; type="multipart/alternative"',
  '',
  '--_004_',
  'Content-Type: multipart/alternative; boundary="_000_"',
  '',
  '--_000_',
  'Content-Type: text/plain; charset="us-ascii"',
  '',
  'We accept the offer.',
  '',
  '[cid:image001.png@01D]',
  '',
  'From: Ann <ann@x.test>',
  'Sent: Tuesday',
  'Subject: Offer',
  '',
  'Here is our offer.',
  '--_000_',
  'Content-Type: text/html; charset="us-ascii"',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<html xmlns:o=3D"urn:schemas-microsoft-com:office:office"><head><style><!--=',
  '',
  '/* Font Definitions */ @font-face {font-family:Calibri; panose-1:2 15 5 2 2;}',
  'p.MsoNormal, li.MsoNormal {margin:0cm; font-size:11.0pt; font-family:"Calibri",sans-serif;}',
  'a:link, span.MsoHyperlink {mso-style-priority:99; color:#0563C1;}',
  '--></style><!--[if gte mso 9]><xml><o:shapedefaults v:ext=3D"edit" /></xml><![endif]--></head>',
  '<body lang=3D"EN-GB" link=3D"#0563C1"><div class=3D"WordSection1">',
  '<p class=3D"MsoNormal">We accept the offer.<o:p></o:p></p>',
  '<p class=3D"MsoNormal"><img width=3D120 src=3D"cid:image001.png@01D"><o:p>&nbsp;</o:p></p>',
  '<div style=3D"border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">',
  '<p class=3D"MsoNormal"><b>From:</b> Ann &lt;ann@x.test&gt;<br><b>Sent:</b> Tuesday<br><b>Subject:</b> Offer<o:p></o:p></p></div>',
  '<p class=3D"MsoNormal">Here is our offer.<o:p></o:p></p></div></body></html>',
  '--_000_--',
  '--_004_',
  'Content-Type: image/png; name="image001.png"',
  'Content-ID: <image001.png@01D>',
  'Content-Transfer-Encoding: base64',
  '',
  PNG,
  '--_004_--',
])

const older = (depth: number): string =>
  depth === 0
    ? '<div dir="ltr">The very first mail.</div>'
    : `<div dir="ltr">Answer ${depth}.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, ${depth} May 2026 at 10:00, Ann &lt;<a href="mailto:ann@x.test">ann@x.test</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">${older(depth - 1)}</blockquote></div>`

export const GMAIL_THREAD = both(
  [
    'From: =?UTF-8?B?SsO2cmcgTcO8bGxlcg==?= <joerg@mail.example>',
    'To: Ann <ann@x.test>, "Baker, Bob" <bob@corp.example>',
    'Cc: Carl <carl@x.test>',
    'Subject: Re: Picnic',
    'Message-ID: <CAF1@mail.example>',
    'References: <a@x.test> <b@x.test> <c@x.test>',
    'In-Reply-To: <c@x.test>',
    'Date: Thu, 7 May 2026 18:30:00 +0200',
  ],
  'Sounds lovely 🎉\n\nOn Mon, 12 May 2026 at 10:00, Ann Example With A Long Name <ann@x.test>\nwrote:\n\n> Answer 11.\n>\n> On Mon, 11 May 2026 at 10:00, Jörg wrote:\n>> older',
  `<div dir="ltr">Sounds lovely 🎉</div>${older(12).slice('<div dir="ltr">Answer 12.</div>'.length)}`,
)

/** What the programs of people make of an answer. */
export const PAGES = {
  APPLE:
    '<html><head></head><body style="word-wrap: break-word; -webkit-nbsp-mode: space;">Yes, <i>please</i>.<div><br><blockquote type="cite"><div>On 8 May 2026, at 10:00, Ann &lt;ann@x.test&gt; wrote:</div><br class="Apple-interchange-newline"><div>Tea?</div></blockquote></div><br></body></html>',
  THUNDERBIRD:
    '<html><body><p>Fine with me.</p><div class="moz-cite-prefix">Am 08.05.26 um 10:00 schrieb Ann:<br></div><blockquote type="cite" cite="mid:1@x.test"><pre class="moz-quote-pre">Tea?</pre></blockquote><p><br></p></body></html>',
  INTERLEAVED:
    '<html><body><p>Hello Ann,</p><blockquote type="cite">Tea?</blockquote><p>With milk.</p><blockquote type="cite">When?</blockquote><p>At five.</p></body></html>',
  OWA: '<html><body><div class="elementToProof">Done, thank you.</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri"><b>From:</b> Ann<br><b>Sent:</b> Friday</font><div>&nbsp;</div></div><div>Please do it.</div></body></html>',
  YAHOO:
    '<html><body><div class="ydp1yahoo-style-wrap"><div>Agreed.</div><div><br></div></div><div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted yahoo_quoted"><div>On Friday, Ann wrote:</div><div>Agreed?</div></div></body></html>',
  ORIGINAL_MESSAGE:
    '<p>See below.</p><p>-----Original Message-----<br>From: Ann<br>Sent: Friday</p><p>The older text.</p>',
  ONLY_QUOTED: '<blockquote type="cite">Nothing but a quote.</blockquote>',
  FORWARDED:
    '<div>For your eyes.</div><div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>From: Carl</div>The forwarded text.</div>',
}

export const ARABIC = both(
  [
    'From: =?utf-8?B?2YXZhtmJ?= <mona@example.com>',
    'Subject: =?utf-8?B?2KrYrdmK2Kkg8J+MuQ==?=',
    'To: me@x.test',
  ],
  'مرحبا 🌹 كيف حالك؟',
  '<html dir="rtl" lang="ar"><body><p style="direction:rtl;text-align:right">مرحبا 🌹 كيف حالك؟</p><p>می‌خواهم</p></body></html>',
)

const JAPANESE = Buffer.concat([
  Buffer.from(
    'From: =?ISO-2022-JP?B?GyRCOzNFRBsoQg==?= <yamada@example.jp>\r\nSubject: =?ISO-2022-JP?B?GyRCJDMkcyRLJEEkTxsoQg==?=\r\nContent-Type: text/plain; charset=ISO-2022-JP\r\n\r\n',
  ),
  Buffer.from('\x1b$B$3$s$K$A$O\x1b(B\r\n', 'latin1'),
])

const VACATION = mail([
  'From: Bob <bob@corp.example>',
  'Subject: Automatic reply: Offer',
  'Auto-Submitted: auto-replied',
  'X-Auto-Response-Suppress: All',
  'In-Reply-To: <offer-1@x.test>',
  '',
  'I am away until Monday.',
])

export const WITH_FILES = mail([
  'From: Ann <ann@example.com>',
  'Subject: Files',
  'Content-Type: multipart/mixed; boundary=mix',
  '',
  'This is a multi-part message in MIME format.',
  '--mix',
  'Content-Type: text/plain; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Gr=FC=DFe aus K=F6ln',
  '--mix',
  'Content-Type: application/pdf; name="=?utf-8?Q?Rechnung_M=C3=A4rz.pdf?="',
  "Content-Disposition: attachment; filename*0*=UTF-8''Rechnung%20M%C3%A4; filename*1*=rz.pdf",
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('%PDF-1.7 hello').toString('base64'),
  '--mix',
  'Content-Type: message/rfc822',
  '',
  'From: carl@example.com',
  'Subject: inner',
  'Content-Type: multipart/mixed; boundary=inner',
  '',
  '--inner',
  '',
  'the inner text',
  '--inner--',
  '',
  '--mix',
  'Content-Type: application/x-msdownload; name="photo\u202egpj.exe"',
  'Content-Disposition: attachment',
  'Content-Transfer-Encoding: base64',
  '',
  'TVo=',
  '--mix--',
])

const PLAIN = mail([
  'From: ann@example.com',
  'To: me@x.test',
  'Subject: Re: Tea',
  'Content-Type: text/plain; charset=utf-8; format=flowed',
  '',
  'Yes, at five. I will bring the ',
  'biscuits.',
  '',
  'On 8 May 2026, Bob wrote:',
  '> Tea?',
  '',
  '-- ',
  'Ann',
])

export const LETTERS: Record<string, Buffer> = {
  NEWSLETTER,
  OUTLOOK,
  GMAIL_THREAD,
  ARABIC,
  JAPANESE,
  VACATION,
  WITH_FILES,
  PLAIN,
  ...Object.fromEntries(Object.entries(PAGES).map(([name, html]) => [name, page(html)])),
}

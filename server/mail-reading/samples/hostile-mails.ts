/** Mails made to keep a reader busy, to fill its memory, or to break it (S9, S39). */

const MB = 1_000_000
const of = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
const each = (count: number, make: (place: number) => string): string =>
  Array.from({ length: count }, (_, n) => make(n)).join('')

const HEAD = 'From: Eve <eve@evil.test>\nTo: me@x.test\nSubject: hello\nMessage-ID: <1@evil.test>\n'
const MIXED = `${HEAD}Content-Type: multipart/mixed; boundary=b\n\n`
const HTML = `${HEAD}Content-Type: text/html; charset=utf-8\n\n`
const PART = '--b\nContent-Type: text/plain\n\nhello\n'

const HEADERS: [string, string][] = [
  ['nested groups in To', `To: ${of('a:', 200_000)}\n${HEAD}\nx`],
  ['1 MB of nested groups in To', `To: ${of('a:', MB)}\n${HEAD}\nx`],
  ['nested brackets in To', `To: ${of('<(', 200_000)}\n${HEAD}\nx`],
  ['a To of 1 MB', `To: ${of('a@b.test, ', MB)}\n${HEAD}\nx`],
  ['a To of 1 MB folded at every address', `To: ${of('a@b.test,\n ', MB)}\n${HEAD}\nx`],
  ['a From of 1 MB of quotes', `From: ${of('"', MB)} <a@b.test>\n\nx`],
  ['a header called __proto__', `__proto__: x\nconstructor: y\n${HEAD}__proto__[subject]: forged\n\nhello`],
  ['10,000 headers', `${each(10_000, (n) => `X-${n}: ${n}\n`)}${HEAD}\nx`],
  ['100,000 equal headers', `${of('X-A: b\n', 700_000)}${HEAD}\nx`],
  ['a header folded 100,000 times', `X-A: b\n${of(' c\n', 300_000)}${HEAD}\nx`],
  ['a subject of 1 MB of encoded words', `${HEAD}Subject: ${of('=?utf-8?b?YWJj?= ', MB)}\n\nx`],
  ['a subject of half encoded words', `Subject: ${of('=?utf-8?q?', MB)}\n${HEAD}\nx`],
  ['a content type of 1 MB', `${HEAD}Content-Type: text/plain${of('; a="b', MB)}\n\nx`],
  [
    'a file name in 50,000 pieces',
    `${MIXED}--b\nContent-Disposition: attachment${each(50_000, (n) => `; filename*${n}=a`)}\n\nx`,
  ],
  ['references of 1 MB', `References: ${of('<a@b.test> ', MB)}\n${HEAD}\nx`],
  ['a date of 1 MB', `Date: ${of('1 Jan ', MB)}\n${HEAD}\nx`],
  ['a header without an end', `${HEAD}X-A: ${of('a', 3 * MB)}`],
  ['1 MB of colons', of(':', MB)],
]

const STRUCTURE: [string, string][] = [
  ['10,000 parts', `${MIXED}${of(PART, 10_000 * PART.length)}`],
  [
    '500 parts in quoted-printable',
    `${MIXED}${of('--b\nContent-Transfer-Encoding: quoted-printable\n\n=41\n', 500 * 54)}`,
  ],
  [
    '900 files',
    `${MIXED}${each(900, (n) => `--b\nContent-Disposition: attachment; filename=f${n}.txt\n\nx\n`)}`,
  ],
  [
    'multiparts nested 5,000 deep',
    `${HEAD}${each(5_000, (n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`)}`,
  ],
  [
    'multiparts nested 29 deep with one boundary that begins every other',
    `${HEAD}${each(29, (n) => `Content-Type: multipart/mixed; boundary=${of('b', n + 1)}\n\n--${of('b', n + 1)}\n`)}${of('--bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbx\n', MB)}`,
  ],
  ['mails nested 2,000 deep', `${HEAD}${of('Content-Type: message/rfc822\n\nFrom: a@b.test\n', 100_000)}`],
  ['a boundary that every line begins with', `${MIXED}${of('--bb\n', MB)}`],
  ['lines of dashes', `${MIXED}${of('--\n', 3 * MB)}`],
  ['a boundary that never comes', `${MIXED}${of('hello world\n', 2 * MB)}`],
  ['no boundary', `${HEAD}Content-Type: multipart/mixed\n\n${PART}`],
  ['an empty boundary', `${HEAD}Content-Type: multipart/mixed; boundary=""\n\n--\n\nhello\n--\n`],
  ['a boundary of two kinds', `${HEAD}Content-Type: multipart/mixed; boundary=a; boundary=b\n\n${PART}`],
]

const BODIES: [string, string][] = [
  ['one line of 5 MB', `${HEAD}\n${of('a', 5 * MB)}`],
  ['one line of 2 MB of blanks', `${HEAD}\n${of(' ', 2 * MB)}x`],
  ['1 MB of line breaks', `${HEAD}\n${of('\n', MB)}`],
  ['2 MB of short lines', `${HEAD}\n${of('a\n', 2 * MB)}`],
  ['1 MB of NUL', `${HEAD}\n${of('\0', MB)}`],
  ['1 MB of carriage returns', `${HEAD}\n${of('\r', MB)}`],
  ['tabs in quoted-printable', `${HEAD}Content-Transfer-Encoding: quoted-printable\n\n${of('\t', MB)}x`],
  [
    '2 MB of = in quoted-printable',
    `${HEAD}Content-Transfer-Encoding: quoted-printable\n\n${of('=', 2 * MB)}`,
  ],
  ['2 MB of = in base64', `${HEAD}Content-Transfer-Encoding: base64\n\n${of('=', 2 * MB)}`],
  [
    'a file of 2 MB of "a=" in base64',
    `${MIXED}--b\nContent-Type: x/y\nContent-Transfer-Encoding: base64\n\n${of('a=', 2 * MB)}`,
  ],
  ['truncated base64', `${HEAD}Content-Transfer-Encoding: base64\n\naGVsbG8gd29ybG`],
  ['truncated quoted-printable', `${HEAD}Content-Transfer-Encoding: quoted-printable\n\nhello =4`],
  ['escapes of iso-2022-jp', `${HEAD}Content-Type: text/plain; charset=iso-2022-jp\n\n${of('\x1b$B', MB)}`],
  ['a charset that nobody knows', `${HEAD}Content-Type: text/plain; charset=x-martian\n\nhello \xe9`],
  ['UTF-16 that is none', `${HEAD}Content-Type: text/plain; charset=utf-16le\n\nhello`],
  ['UTF-7', `${HEAD}Content-Type: text/html; charset=utf-7\n\n+ADw-script+AD4-steal()+ADw-/script+AD4-`],
  [
    'format=flowed that flows on',
    `${HEAD}Content-Type: text/plain; format=flowed; delsp=yes\n\n${of('a \n', MB)}`,
  ],
  ['quotes inside quotes', `${HEAD}\n${each(3_000, (n) => `${of('>', n % 500)} hello\n`)}`],
  ['announcements of quotes', `${HEAD}\n${of('On 1 May Ann wrote\n', MB)}:`],
]

const PAGES: [string, string][] = [
  ['10,000 nested div', `${HTML}${of('<div>', 50_000)}hello`],
  ['200,000 nested div', `${HTML}${of('<div>', MB)}hello`],
  ['1 MB of <b>', `${HTML}${of('<b>', MB)}hello`],
  ['formatting that multiplies', `${HTML}${each(2_000, (n) => `<b a=${n}>`)}${of('<p>x', 400_000)}`],
  ['links inside links', `${HTML}${of('<a href=https://x.test><div>', MB)}hello`],
  ['tables inside tables', `${HTML}${of('<table><tr><td>', MB)}hello`],
  ['text between table rows', `${HTML}<table>${of('x<b>y', MB)}`],
  ['100,000 attributes', `${HTML}<p ${each(100_000, (n) => `a${n}=b `)}>hello`],
  ['an attribute of 3 MB', `${HTML}<p title="${of('a', 3 * MB)}">hello`],
  ['a style of 3 MB', `${HTML}<p style="${of('color:red;', 3 * MB)}">hello`],
  ['a style of brackets', `${HTML}<p style="${of('a:(', MB)}">hello`],
  ['a sheet of 2 MB of selectors', `${HTML}<style>${of('.a,', 2 * MB)}{color:red}</style><p class=a>hello`],
  [
    'a sheet of 20,000 rules for one class',
    `${HTML}<style>${of('.a{color:red}', 260_000)}</style>${of('<p class=a>x', 300_000)}`,
  ],
  ['a sheet of open brackets', `${HTML}<style>${of('a{', MB)}</style>hello`],
  ['1 MB of open comments', `${HTML}${of('<!--', MB)}hello`],
  ['1 MB of open tags', `${HTML}${of('<p ', MB)}hello`],
  ['1 MB of entities', `${HTML}${of('&#64;&amp;', MB)}`],
  ['10,000 quotes beside each other', `${HTML}x${of('<blockquote type=cite>y</blockquote>', 360_000)}z`],
  ['9,000 quotes inside each other', `${HTML}x${of('<div class=gmail_quote>', 200_000)}forwarded message`],
  [
    'a picture of 4 MB in the text',
    `${HTML}hello<img src="data:image/png;base64,iVBORw0KGgo${of('AAAA', 4 * MB)}">`,
  ],
  [
    'one picture 5,000 times',
    `${HEAD}Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\nhello${of('<img src=cid:a>', 75_000)}\n--b\nContent-ID: <a>\nContent-Type: image/gif\nContent-Transfer-Encoding: base64\n\nR0lGODlh${of('AAAA', 90_000)}\n--b--\n`,
  ],
  ['15,000 remote pictures', `${HTML}hello${of('<img src=https://x.test/a.png>', 450_000)}`],
  ['templates inside templates', `${HTML}${of('<template>', MB)}hello`],
  ['foreign content inside itself', `${HTML}${of('<svg><math>', MB)}hello`],
]

export const HOSTILE_MAILS: [name: string, raw: Buffer][] = [
  ...HEADERS,
  ...STRUCTURE,
  ...BODIES,
  ...PAGES,
].map(([name, text]) => [name, Buffer.from(text, 'latin1')])

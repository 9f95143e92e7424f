import type { StoredMail } from './inbox-mails.ts'

/* Mails as people get them, for looking at. */

const ANSWER = [
  'Hello,',
  '',
  'thank you for the letter! We would love to come on Sunday, all five of us. Is the lighthouse open in the afternoon ' +
    'too? The page at https://example.test/lighthouse says until four.',
  '',
  'Yours,',
  'Ann',
  '',
  'On Tue, Nov 3, 2026 at 9:30 AM Harbour News <mail@postrider.test> wrote:',
  '> Dear readers,',
  '>',
  '> the leaves are turning, and so is the page.',
].join('\n')

const HEBREW = 'שלום,\n\nתודה רבה על המכתב! נשמח לבוא ביום ראשון (5 אנשים).\n\nשרה'

const cell = (name: string, price: string) =>
  `<td width="50%" style="padding:12px;border:1px solid #dddddd"><img data-remote-src="https://cdn.example.test/${name}.jpg" alt="${name}" width="240" height="160"><h3 style="margin:8px 0">${name}</h3><p style="margin:0;color:#666666">${price} · <a href="https://shop.example.test/${name}">Order</a></p></td>`

/** As a shop sends it: tables in tables, colours of its own, pictures from elsewhere. */
const NEWSLETTER = `<table width="100%" bgcolor="#f4f4f4" cellpadding="0" cellspacing="0"><tr><td align="center">
<table width="600" bgcolor="#ffffff" cellpadding="0" cellspacing="0" style="font-family:Georgia,serif;color:#222222">
<tr><td style="background-color:#0b5d4e;color:#ffffff;padding:24px;text-align:center"><h1 style="margin:0">Harbour Books</h1><p style="margin:4px 0 0">News of November</p></td></tr>
<tr><td style="padding:24px"><h2>Long evenings, good books</h2><p>Dear reader, the shelves are full again. Here is what we would take with us to the lighthouse, and what our youngest colleague would not put down.</p></td></tr>
<tr><td style="padding:0 24px"><table width="100%" cellpadding="0" cellspacing="8"><tr>${cell('The Tide', '18 €')}${cell('North Wind', '22 €')}</tr><tr>${cell('Salt', '14 €')}${cell('Lamps', '30 €')}</tr></table></td></tr>
<tr><td style="padding:24px;font-size:12px;color:#777777">You get this letter because you asked for it. <a href="https://shop.example.test/leave">Unsubscribe</a></td></tr>
</table></td></tr></table>`

const PLAIN_HTML = `<div dir="ltr"><p>Hi there,</p><p>great news, I will <b>definitely</b> be there. Two things:</p><ul><li>May I bring a friend?</li><li>Is there parking?</li></ul><p>All the best,<br>Cleo</p></div><details><summary>Quoted text</summary><blockquote>Dear readers, the leaves are turning.</blockquote></details>`

export const TEXT_ANSWER: StoredMail = {
  ...{ subject: 'Re: The autumn letter', text: ANSWER, minutesAgo: 2, isUnread: true },
  files: [
    { name: 'tickets.pdf', type: 'application/pdf', size: 123_456 },
    {
      ...{ name: 'A list of everybody who is coming, with their shoe sizes and favourite cakes.xlsx' },
      ...{ type: 'application/vnd.ms-excel', size: 4_200_000 },
    },
  ],
}

export const NEWSLETTER_MAIL: StoredMail = {
  ...{ name: 'Harbour Books', email: 'news@shop.example.test', subject: 'Long evenings, good books' },
  ...{ html: NEWSLETTER, text: 'Long evenings, good books', hasRemoteImages: true, minutesAgo: 60 * 30 },
  isAutomatic: true,
}

export const HTML_ANSWER: StoredMail = {
  ...{ name: 'Cleo Marsh', email: 'cleo@example.test', subject: 'Re: The autumn letter', minutesAgo: 55 },
  ...{ html: PLAIN_HTML, text: 'Hi there, great news, I will definitely be there.', isUnread: true },
}

export const HEBREW_MAIL: StoredMail = {
  ...{ name: 'שרה לוי', email: 'sara@example.test', subject: 'תודה על המכתב', text: HEBREW, minutesAgo: 200 },
}

export const AWAY: StoredMail = {
  ...{ name: 'Bob Stone', email: 'bob@example.test', subject: 'Automatic reply: The autumn letter' },
  ...{ text: 'I am out of the office until Monday.', isAutomatic: true, minutesAgo: 300 },
}

/** One of every kind that a list can hold. */
export const ALL_KINDS: StoredMail[] = [
  TEXT_ANSWER,
  HTML_ANSWER,
  HEBREW_MAIL,
  AWAY,
  NEWSLETTER_MAIL,
  {
    ...{ name: '', email: 'somebody.with.a.rather.long.address@a-domain-that-is-long.example.test' },
    ...{ subject: '', text: '', minutesAgo: 60 * 50 },
  },
  {
    ...{
      name: 'Zoë 🎉',
      subject: 'A subject that is longer than most people write, and goes on for a while 🚀',
    },
    ...{ text: 'Short.', minutesAgo: 60 * 24 * 20, email: 'zoe@example.test' },
  },
]

import { expect, it } from 'vitest'
import { aMail, INBOX_ENV } from '../test/inbox.ts'
import { aLinkedChat, anAppWithBot } from '../test/telegram.ts'
import { arrive } from '../test/telegram-alerts.ts'

const FILE = '--b\nContent-Disposition: attachment; filename=a.pdf\n\nx\n'
const withFiles = (subject: string, words: string, count: number): string =>
  aMail(
    { Subject: subject, 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=b' },
    `${words === '' ? '' : `--b\n\n${words}\n`}${FILE.repeat(count)}--b--`,
  )

it('a mail of which only a part could be read says so below its words, and where the rest is', {
  tags: 'thorough',
}, async () => {
  await using app = await anAppWithBot(INBOX_ENV)
  const port = await app.running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
  const ann = await aLinkedChat(app)
  const { person } = ann
  const long = 'We have thought about it. '.repeat(400)
  const mails = [
    withFiles('Whole', 'Hello', 200),
    withFiles('Some', 'Hello', 201),
    withFiles('Silent', '', 201),
    withFiles('Plain', long, 1_005),
  ]
  await arrive(app.running, port, ann, ...mails)
  await person.says('/inbox')
  const inbox = await person.hears('4 unread')
  const read = async (number: number, subject: string) => {
    await person.presses(String(number), inbox)
    return (await person.hears(new RegExp(`\\n${subject}\\n`))).text
  }
  const IN_PART =
    'Not all of this mail could be read; the whole of it, its files included, is in the Inbox of Postrider.'
  const plain = await read(1, 'Plain')
  expect(plain).toMatch(/…\nShortened: the beginning of 10,\d\d\d characters/)
  expect(plain).toContain(IN_PART)
  expect(plain.length).toBeLessThanOrEqual(4096)
  expect(await read(2, 'Silent')).toContain(`This mail holds no text.\n${IN_PART}`)
  expect(await read(3, 'Some')).toContain(`Hello\n${IN_PART}`)
  expect(await read(4, 'Whole')).not.toContain('could be read')
})

const BLOCK = (sent: string): string =>
  `From: Cleo <cleo@example.test>\n${sent}: Sun, 1 Nov 2026 at 09:00\nSubject: The offer\nTo: Bob`

it('a mail that passes something on is shown with it; one that quotes says where the quotation is', {
  tags: 'thorough',
}, async () => {
  await using app = await anAppWithBot(INBOX_ENV)
  const port = await app.running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
  const ann = await aLinkedChat(app)
  const { person } = ann
  const wrote = 'On Sun, 1 Nov 2026 at 10:00, Ann <ann@example.test> wrote:'
  const mails = [
    aMail(
      { Subject: 'Gmail' },
      `See below\n\n---------- Forwarded message ---------\n${BLOCK('Date')}\n\nTen crowns\n> each`,
    ),
    aMail(
      { Subject: 'Apple' },
      `See below\n\nBegin forwarded message:\n\n> ${BLOCK('Date').replaceAll('\n', '\n> ')}\n>\n> Ten crowns`,
    ),
    aMail({ Subject: 'FW: Outlook' }, `See below\n\n${BLOCK('Sent')}\n\nTen crowns`),
    aMail({ Subject: 'Re: Outlook' }, `See above\n\n${BLOCK('Sent')}\n\nTen crowns`),
    aMail(
      { Subject: 'Re: Fwd: Gmail' },
      `See above\n\n${wrote}\n> ---------- Forwarded message ---------\n> Ten crowns`,
    ),
  ]
  await arrive(app.running, port, ann, ...mails)
  await person.says('/inbox')
  const inbox = await person.hears('5 unread')
  const QUOTES = 'What it quotes is in the Inbox of Postrider.'
  const read = async (number: number, words: string) => {
    await person.presses(String(number), inbox)
    return (await person.hears(new RegExp(`${words}[\\s\\S]*To answer`))).text
  }
  for (const number of [3, 4, 5]) {
    const text = await read(number, 'See below')
    expect(text).toMatch(/From: Cleo <cleo@example.test>[\s\S]*Ten crowns/)
    expect(text).not.toContain(QUOTES)
  }
  for (const number of [1, 2]) {
    const text = await read(number, 'See above')
    expect(text).toContain(`See above\n${QUOTES}`)
    expect(text).not.toContain('Ten crowns')
  }
})

import { describe, expect, it } from 'vitest'
import { readMail } from './read-mail.ts'
import { readPlainly } from './read-plainly.ts'

async function textOf(body: string, parameters = ''): Promise<string | undefined> {
  const raw = Buffer.from(
    `Content-Type: text/plain; charset=utf-8; format=flowed${parameters}\r\n\r\n${body}`,
  )
  return (await readMail(raw, readPlainly(raw, 'ann@example.com'))).text?.trimEnd()
}

describe('a text that flows', () => {
  it.each([
    ['goes on in the next line', 'One \r\nand two. \r\n\r\nThree', 'One and two.\n\nThree'],
    [
      'keeps an answer out of the quotation',
      '> How many do \n> you need? \nFive, please.',
      '> How many do you need?\nFive, please.',
    ],
    ['keeps quotations of others apart', '>> Tea? \n> Yes. \n>> When? \n', '>> Tea?\n> Yes.\n>> When?'],
    ['keeps quotations apart that were written with blanks', '> > Tea? \n> > When?', '> > Tea? \n> > When?'],
    ['keeps an empty quoted line', '> One\n>\n> Two', '> One\n>\n> Two'],
    ['never takes in a signature', 'Bye \n-- \nAnn\n> -- \n> Bob', 'Bye\n-- \nAnn\n> -- \n> Bob'],
    [
      'leaves out the blank that only keeps a line from meaning something',
      ' From \nhere \n  on',
      'From here  on',
    ],
    ['stays as it is where nothing flows', 'One\n  two\n\nthree', 'One\n two\n\nthree'],
  ])('%s', async (_name, body, text) => {
    expect(await textOf(body)).toBe(text)
  })

  it('may leave out the blanks at which it was cut', async () => {
    expect(await textOf('こん \nにち  \nは\n> か \n> な \nは', '; delsp=yes')).toBe('こんにち は\n> かな\nは')
  })

  it('flows in quoted-printable and among other parts, which stay as they are', async () => {
    const raw = Buffer.from(
      [
        'Content-Type: multipart/mixed; boundary=b\n\n--b',
        'Content-Type: text/plain; format="Flowed"\nContent-Transfer-Encoding: quoted-printable\n',
        '> Tea?=20\nYes,=20\nplease.',
        '--b\nContent-Type: text/plain\n',
        'fixed \nlines\n--b--\n',
      ].join('\n'),
    )
    const { text } = await readMail(raw, readPlainly(raw, 'ann@example.com'))
    expect(text).toContain('> Tea?\nYes, please.')
    expect(text).toContain('fixed \nlines')
  })
})

import { describe, expect, it } from 'vitest'
import { replySubject, threadingOf, withQuote } from './reply-text.ts'

describe('the subject of a reply', () => {
  it.each([
    ['Hello', 'Re: Hello'],
    ['', 'Re:'],
    ['Re: Hello', 'Re: Hello'],
    ['re:Hello', 're: Hello'],
    ['RE:  Re: rE : Hello', 'RE: Hello'],
    ['Aw: Hello', 'Aw: Hello'],
    ['AW: Re[2]: Hello', 'AW: Hello'],
    ['Re[2]: Hello', 'Re[2]: Hello'],
    ['Re (3): Hello', 'Re (3): Hello'],
    ['回复：你好', '回复： 你好'],
    ['Regarding: Hello', 'Re: Regarding: Hello'],
    ['Ref: 42', 'Re: Ref: 42'],
    ['Fwd: Re: Hello', 'Re: Fwd: Re: Hello'],
    ['a\r\nBcc: eve@x.test\u0085\u2028b\0', 'Re: a Bcc: eve@x.test b'],
    ['\u202egnp.exe', 'Re: gnp.exe'],
  ])('of %j is %j', (subject, reply) => expect(replySubject(subject)).toBe(reply))

  it('of an endless one ends', () => {
    expect([...replySubject('👍🏽'.repeat(50_000))].length).toBeLessThanOrEqual(404)
    expect(replySubject('Re: '.repeat(50_000))).toBe('Re:')
  })
})

describe('the place in a thread', () => {
  it('is behind the answered mail and those before it, nearest last, each once', () => {
    expect(threadingOf('<c@x>', ['<a@x>', '<b@x>', '<c@x>', '<a@x>'])).toEqual({
      inReplyTo: '<c@x>',
      references: '<a@x> <b@x> <c@x>',
    })
  })

  it('is told by the nearest twenty', () => {
    const ids = Array.from({ length: 5_000 }, (_, at) => `<${at}@x>`)
    expect(threadingOf('<last@x>', ids).references?.split(' ')).toEqual([...ids.slice(-19), '<last@x>'])
  })

  it.each([
    '',
    'a@x',
    '<a>',
    '<a@x',
    '<a b@x>',
    '<a@x>\r\nBcc: eve@x.test',
    '<a@x>\n',
    '<a\u0085@x>',
    '<ä@x>',
    '<a@x> <b@x>',
    '<a@<b>x>',
    '<=?utf-8?Q?=0D=0ABcc:?=@x>',
    '<{{token}}@x>',
    `<${'a'.repeat(500)}@x>`,
  ])('never names %j', (id) => {
    expect(threadingOf(id, ['<a@y>', id])).toEqual({ inReplyTo: null, references: '<a@y>' })
    expect(threadingOf(id, [id])).toEqual({ inReplyTo: null, references: null })
  })
})

describe('the quotation', () => {
  const mail = {
    author: { name: 'Bob\r\nB.', address: 'bob@x.test' },
    writtenAt: new Date('2026-11-15T06:51:19Z'),
    text: '\n\nHello\r\n\r\n> older\r\nbye  \r\n\r\n',
  }
  const opening = 'On Sun, 15 Nov 2026 at 06:51 UTC, Bob B. <bob@x.test> wrote:'

  it('says when and by whom, and marks every line', () => {
    expect(withQuote('Hi\n\n', mail, 1_000)).toBe(`Hi\n\n${opening}\n> Hello\n>\n>> older\n> bye\n`)
    const nameless = { ...mail, author: { name: '', address: 'bob@x.test' } }
    expect(withQuote('Hi', nameless, 1_000)).toContain('UTC, bob@x.test wrote:\n')
  })

  it('is left out of a mail without words', () => {
    expect(withQuote('Hi', { ...mail, text: ' \n ' }, 1_000)).toBe('Hi\n')
  })

  it.each(['x'.repeat(1_000_000), 'x\n'.repeat(500_000), '👍'.repeat(500_000), '> '.repeat(500_000)])(
    'of a very long mail is cut, and there is room for it (%#)',
    (text) => {
      const long = withQuote('Hi', { ...mail, text }, 100_000)
      expect(long.length).toBeLessThan(21_000)
      expect(long.endsWith('\n> […]\n')).toBe(true)
      expect(long.isWellFormed()).toBe(true)
      const own = 'y'.repeat(99_950)
      for (const most of [own.length, own.length + 60, own.length + 70, own.length + 170, own.length + 200])
        expect(withQuote(own, { ...mail, text }, most).length).toBeLessThanOrEqual(
          Math.max(most, own.length + 1),
        )
    },
  )
})

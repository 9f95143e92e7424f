import { describe, expect, it } from 'vitest'
import { aCopy, aLetter } from '../test/simulators/a-mail.ts'
import { refusalOf } from './mail-safety.ts'

const BREAKS = ['\r\n', '\n', '\r', '\0', '\u0085', '\u2028', '\u2029', '\v', '\t', '\u007f']

describe('what may leave', () => {
  it('is an ordinary mail, also in other scripts', () => {
    const letter = aLetter({ subject: 'Grüße 🎺', replyTo: 'a+b@x.test' })
    const copy = aCopy({
      to: { name: '张 "Jörg" 🎺', address: 'jörg@bücher.example' },
      headers: { 'List-Unsubscribe': '<https://x.test/u/1>' },
    })
    expect(refusalOf(letter, copy)).toBeNull()
  })

  it.each(BREAKS)('holds no %j in a header', (sign) => {
    const evil = `x${sign}Bcc: eve@x.test`
    const letters: Parameters<typeof aLetter>[0][] = [
      { subject: evil },
      { from: { name: evil, address: 'mail@postrider.localhost' } },
      { from: { name: '', address: `mail@x.test${sign}` } },
      { replyTo: `ann@x.test${sign}Bcc:eve@x.test` },
      { headers: { 'X-Note': evil } },
      { headers: { [`X${sign}Bcc`]: 'eve@x.test' } },
    ]
    const copies: Parameters<typeof aCopy>[0][] = [
      { to: `ann@x.test${sign}` },
      { to: { name: evil, address: 'ann@x.test' } },
      { messageId: `<1@x.test>${sign}` },
      { messageId: `<1${sign}@x.test>` },
      { headers: { 'X-Note': evil } },
      { headers: { [`X${sign}Bcc`]: 'eve@x.test' } },
    ]
    for (const parts of letters)
      expect(refusalOf(aLetter(parts), aCopy()), JSON.stringify(parts)).toMatchObject({ kind: 'rejected' })
    for (const parts of copies)
      expect(refusalOf(aLetter(), aCopy(parts)), JSON.stringify(parts)).toMatchObject({ kind: 'rejected' })
  })

  it.each([
    'a@x.test, b@x.test',
    'a@x.test b@x.test',
    'Ann <a@x.test>',
    '<a@x.test>',
    'a@x.test;b',
    '@x.test',
    'a@',
    'a',
    '',
    'a@b@c',
  ])('has one recipient, not %j', (to) =>
    expect(refusalOf(aLetter(), aCopy({ to }))).toMatchObject({ kind: 'rejected' }),
  )

  it.each(['Bcc', 'to', 'FROM', 'Content-Type', 'X Y', 'X:', '', '__proto__'])(
    'sets no header named %j',
    (name) => {
      const headers = Object.fromEntries([[name, 'x']])
      expect(refusalOf(aLetter({ headers }), aCopy())).toMatchObject({ kind: 'rejected' })
      expect(refusalOf(aLetter(), aCopy({ headers }))).toMatchObject({ kind: 'rejected' })
    },
  )

  it('has every header once, however it is spelled and wherever it is set', () => {
    const letter = aLetter({ headers: { 'X-Note': '1' } })
    const once = aCopy({ headers: { 'X-Other': '2' } })
    expect(refusalOf(letter, once)).toBeNull()
    // The first copy must have left no trace in what is remembered of the letter.
    expect(refusalOf(letter, once)).toBeNull()
    expect(refusalOf(letter, aCopy({ headers: { 'x-note': '2' } }))).toMatchObject({ kind: 'rejected' })
    expect(refusalOf(aLetter({ headers: { 'X-A': '1', 'x-a': '2' } }), aCopy())).toMatchObject({
      kind: 'rejected',
    })
  })

  it('is asked of the letter once, however many copies it has', () => {
    const letter = aLetter()
    let looks = 0
    const watched = new Proxy(letter, {
      get: (target, key, receiver) => {
        looks++
        return Reflect.get(target, key, receiver)
      },
    })
    refusalOf(watched, aCopy())
    const looksOfFirst = looks
    for (let n = 0; n < 100; n++) refusalOf(watched, aCopy())
    expect(looksOfFirst).toBeGreaterThan(0)
    expect(looks).toBe(looksOfFirst)
  })
})

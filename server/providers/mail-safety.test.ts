import { describe, expect, it } from 'vitest'
import { aMail } from '../test/simulators/a-mail.ts'
import { nameAndAddress, providersWords, refusalOf } from './mail-safety.ts'
import type { OutgoingMail } from './provider.ts'

const BREAKS = ['\r\n', '\n', '\r', '\0', '\u0085', '\u2028', '\u2029', '\v', '\t', '\u007f']

describe('what may leave', () => {
  it('is an ordinary mail, also in other scripts', () => {
    expect(
      refusalOf(aMail({ subject: 'Grüße 🎺', to: 'jörg@bücher.example', replyTo: 'a+b@x.test' })),
    ).toBeNull()
  })

  it.each(BREAKS)('holds no %j in a header', (sign) => {
    const evil = `x${sign}Bcc: eve@x.test`
    const mails: Partial<OutgoingMail>[] = [
      { subject: evil },
      { from: { name: evil, address: 'mail@postrider.localhost' } },
      { from: { name: '', address: `mail@x.test${sign}` } },
      { to: `ann@x.test${sign}` },
      { replyTo: `ann@x.test${sign}Bcc:eve@x.test` },
      { messageId: `<1@x.test>${sign}` },
      { headers: { 'X-Note': evil } },
      { headers: { [`X${sign}Bcc`]: 'eve@x.test' } },
    ]
    for (const parts of mails)
      expect(refusalOf(aMail(parts)), JSON.stringify(parts)).toMatchObject({ kind: 'rejected' })
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
    expect(refusalOf(aMail({ to }))).toMatchObject({ kind: 'rejected' }),
  )

  it.each(['Bcc', 'to', 'FROM', 'Content-Type', 'X Y', 'X:', '', '__proto__'])(
    'sets no header named %j',
    (name) => {
      const headers = Object.fromEntries([[name, 'x']])
      expect(refusalOf(aMail({ headers }))).toMatchObject({ kind: 'rejected' })
    },
  )
})

it('quotes a name only where its signs mean something', () => {
  const address = 'a@x.test'
  expect(nameAndAddress({ name: 'Jörg Müller', address })).toBe('Jörg Müller <a@x.test>')
  expect(nameAndAddress({ name: '', address })).toBe('a@x.test')
  expect(nameAndAddress({ name: 'Eve <eve@x.test>,', address })).toBe('"Eve <eve@x.test>," <a@x.test>')
  expect(nameAndAddress({ name: 'a\\"b', address })).toBe('"a\\\\\\"b" <a@x.test>')
})

it('keeps a provider to one short line without our secrets', () => {
  expect(providersWords('no\r\n key re_1 \0', ['re_1', ''])).toBe('no key …')
  expect(providersWords('x'.repeat(1000))).toHaveLength(301)
})

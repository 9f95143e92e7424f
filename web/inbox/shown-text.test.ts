import { describe, expect, it } from 'vitest'
import {
  senderAddress,
  senderName,
  shownLine,
  shownRecipient,
  shownSubject,
  shownText,
} from './shown-text.ts'

describe('a line of a stranger', () => {
  it('cannot turn what follows around, nor hide letters among letters', () => {
    expect(shownLine('Invoice \u202efdp.exe')).toBe('Invoice fdp.exe')
    expect(shownLine('a\u200bn\u200dn@exam\u2060ple.test\ufeff')).toBe('ann@example.test')
    expect(shownLine('pay\u00adpal \u2066x\u2069 \u{e0041}\u3164')).toBe('paypal x')
  })

  it('stays one line', () => {
    expect(shownLine('Hello\r\nBcc: eve@example.test\u2028\u0000there')).toBe(
      'Hello Bcc: eve@example.test there',
    )
  })

  it('keeps the joiners that emoji and scripts need', () => {
    for (const text of ['👩‍💻 🏳️‍🌈 👩🏽‍🚀', 'می‌خواهم', 'क्‍ष', 'שלום عليكم']) expect(shownLine(text)).toBe(text)
  })

  it('has words even where nothing is left', () => {
    expect(shownSubject('\u200b\u202e')).toBe('No subject')
    expect(senderName({ name: '\u202e', email: 'ann@example.test' })).toBe('ann@example.test')
    expect(senderName({ name: '', email: '' })).toBe('Unknown sender')
  })

  it('shows the address beside a name, also beside a name that looks like another address', () => {
    expect(senderAddress({ name: 'boss@bank.test', email: 'eve@evil.test' })).toBe('eve@evil.test')
    expect(senderAddress({ name: '', email: 'eve@evil.test' })).toBeNull()
  })
})

it('a text keeps its lines and its marks of direction, and loses what overrides them', () => {
  expect(shownText('one\r\ntwo\rthree\u0007\t\u202eevil\u202c \u200fשלום')).toBe(
    'one\ntwo\nthree\tevil \u200fשלום',
  )
})

it('a recipient is shown without the token of a reply address', () => {
  expect(shownRecipient(`ann+${'aB-_'.repeat(12)}@in.example.test`)).toBe('ann@in.example.test')
  expect(shownRecipient('ann+news@in.example.test')).toBe('ann+news@in.example.test')
})

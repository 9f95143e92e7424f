import { expect, it } from 'vitest'
import { nameAndAddress } from './name-and-address.ts'

it('quotes a name only where its signs mean something', () => {
  const address = 'a@x.test'
  expect(nameAndAddress({ name: 'Jörg Müller', address })).toBe('Jörg Müller <a@x.test>')
  expect(nameAndAddress({ name: '', address })).toBe('a@x.test')
  expect(nameAndAddress({ name: 'Eve <eve@x.test>,', address })).toBe('"Eve <eve@x.test>," <a@x.test>')
  expect(nameAndAddress({ name: 'a\\"b', address })).toBe('"a\\\\\\"b" <a@x.test>')
})

import { expect, it } from 'vitest'
import { isLoopback, isPrivate, isPublicAddress, ownedRange, plainAddress } from './network-address.ts'

it.each([
  ['203.0.113.5', '203.0.113.5'],
  ['203.0.113.5:4711', '203.0.113.5'],
  ['::ffff:203.0.113.5', '203.0.113.5'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['unknown', null],
  ['', null],
])('reads the address out of %j', (text, address) => {
  expect(plainAddress(text)).toBe(address)
})

it('counts all addresses of one IPv6 network as one caller, however they are spelled', () => {
  const spellings = ['2600:3c00::f03c:1:2:3', '2600:3c00:0:0:1000:1:2:3', '2600:3C00::', '2600:3c00::1']
  expect(new Set(spellings.map(ownedRange))).toEqual(new Set(['2600:3c00:0:0::/64']))
  expect(ownedRange('2600:3c00:0:1::1')).toBe('2600:3c00:0:1::/64')
  expect(ownedRange('::1')).toBe('0:0:0:0::/64')
  expect(ownedRange('203.0.113.5')).toBe('203.0.113.5')
})

it.each(['localhost', 'LOCALHOST', 'mail.localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]'])(
  'knows %s as this machine',
  (host) => {
    expect(isLoopback(host)).toBe(true)
  },
)

it.each(['0.0.0.0', '128.0.0.1', 'localhost.evil.test', '127.0.0.1.evil.test', '::', ''])(
  'knows %j as another',
  (host) => {
    expect(isLoopback(host)).toBe(false)
  },
)

it.each([
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2606:4700::1',
  '3ffe::1',
])('knows %s as public', (address) => expect(isPublicAddress(address)).toBe(true))

it.each([
  '0.0.0.0',
  '10.0.0.0',
  '100.64.0.0',
  '100.127.255.255',
  '169.254.0.0',
  '172.16.0.0',
  '198.18.0.0',
  '198.19.255.255',
  '224.0.0.0',
  '255.255.255.255',
  '::',
  '::ffff:1.1.1.1',
  '2001:1ff:ffff::',
  '2002:808:808::1',
  'fc00::',
  'fdff::1',
  '2606:4700::1%eth0',
  '1.1.1',
  'example.com',
  '',
])('knows %j as not public', (address) => expect(isPublicAddress(address)).toBe(false))

it('takes a caller who has gone, and so has no address, for nobody of a private network', () => {
  expect(isPrivate('nobody')).toBe(false)
})

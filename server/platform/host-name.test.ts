import { expect, it } from 'vitest'
import { readHost } from './host-name.ts'

it.each([
  ['Mail.Example.COM.', 'mail.example.com'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['3com.example', '3com.example'],
  ['8.8.8.8.', '8.8.8.8'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['[2001:db8::0001]', '2001:db8::1'],
  ['::ffff:127.0.0.1', '::ffff:7f00:1'],
])('reads %j as %j', (text, host) => expect(readHost(text)).toBe(host))

it.each([
  '2130706433',
  '0x7f000001',
  '127.1',
  '0177.0.0.1',
  '8.8.8.010',
  'mail.0x',
  'fe80::1%eth0',
  '[::1%lo]',
  'bücher.example',
])('does not guess at %j', (text) => expect(readHost(text)).toBeNull())

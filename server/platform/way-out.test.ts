import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, it } from 'vitest'

/** Whoever opens connections, and why nobody can send them elsewhere. */
const KNOWN: Readonly<Record<string, string>> = {
  'server/platform/dialer.ts':
    'the one way to a host that somebody names: it judges the address that it connects to',
  'server/platform/download.ts': 'HTTPS over a connection of the dialer',
  'server/providers/smtp/secure.ts': 'TLS over a connection of the dialer',
  'server/providers/http-api.ts': 'the API of a vendor, at an address that the operator set or we know',
  'server/providers/sns.ts': 'addresses of Amazon SNS only, by their exact form, without redirects',
  'server/telegram/received-file.ts': 'files of the Bot API, at the address that the operator set',
}

/** Calls that open a connection, by the names under which Node has them. */
const OPENS =
  /(?<!function )\bfetch\((?!url\)|email\.|one\.)|from 'node:(?:http2|dgram)'|import \{[^}]*\b(?:connect|createConnection|request|get)\b[^}]*\} from 'node:(?:net|tls|https?)'/

it('S5: nobody opens a connection but by the dialer, or to addresses that no user names', async () => {
  const found: string[] = []
  for await (const file of glob('server/**/*.ts', {
    exclude: ['server/test/**', '**/*.test.ts', '**/testing.ts'],
  }))
    if (OPENS.test(readFileSync(file, 'utf8'))) found.push(file)
  expect(found.sort()).toEqual(Object.keys(KNOWN).sort())
})

import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, it } from 'vitest'

const ITS_DATABASE = 'PostgreSQL, at the address that the operator set'

/** Whoever opens connections, and why nobody can send them elsewhere. */
const KNOWN: Readonly<Record<string, string>> = {
  'server/admin/snapshot.ts': ITS_DATABASE,
  'server/platform/database-lines.ts': ITS_DATABASE,
  'server/platform/database.ts': ITS_DATABASE,
  'server/platform/dialer.ts':
    'the one way to a host that somebody names: it judges the address that it connects to',
  'server/platform/download.ts': 'HTTPS over a connection of the dialer',
  'server/platform/embedded-postgres/session.ts': ITS_DATABASE,
  'server/platform/leadership.ts': ITS_DATABASE,
  'server/platform/notices-line.ts': ITS_DATABASE,
  'server/providers/http-api.ts': 'the API of a vendor, at an address that the operator set or we know',
  'server/providers/ses.ts': 'the same with a signature, made where the address is known',
  'server/providers/smtp/secure.ts': 'TLS over a connection of the dialer',
  'server/providers/sns.ts': 'addresses of Amazon SNS only, by their exact form, without redirects',
  'server/telegram/bot.ts': 'the Bot API, at the address that the operator set',
  'server/telegram/polling.ts': 'the Bot API, at the address that the operator set',
  'server/telegram/received-file.ts': 'files of the Bot API, at the address that the operator set',
}

/** Ways to open a connection, by the names under which Node and our packages have them. A type opens nothing. */
const OPENS = new RegExp(
  [
    /(?<!typeof )\bglobalThis\.fetch\b|(?<![\w.]|function )fetch\(/,
    /import \{(?:[^}]*,)?\s*(?:connect|createConnection|request|get|Socket|TLSSocket|Agent)\b[^}]*\} from 'node:(?:net|tls|https?)'/,
    /import (?!type\b)(?:\* as )?\w+ from 'node:(?:net|tls|https?|dgram)'/,
    /(?:from |import\(|require\()'(?:node:http2|node:dgram|(?:node:)?undici|ws)'/,
    /(?:import|require)\('node:(?:net|tls|https?)'\)/,
    /new (?:[\w.]*\.)?(?:Socket|TLSSocket|WebSocket|EventSource)\(/,
    /new pg\.(?:Client|Pool)\(/,
    /new (?:Api|Bot)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

it('S5: nobody opens a connection but by the dialer, or to addresses that no user names', async () => {
  const found: string[] = []
  for await (const file of glob('server/**/*.ts', {
    exclude: ['server/test/**', '**/*.test.ts', '**/testing.ts'],
  }))
    if (OPENS.test(readFileSync(file, 'utf8'))) found.push(file)
  expect(found.sort()).toEqual(Object.keys(KNOWN).sort())
})

it.each([
  'await fetch(url)',
  'const pass = globalThis.fetch',
  "import net from 'node:net'",
  "import * as secure from 'node:https'",
  "import { isIP, createConnection } from 'node:net'",
  "import { request as ask } from 'node:http'",
  "const { connect } = await import('node:tls')",
  "import { connect } from 'node:http2'",
  "import { request } from 'undici'",
  'new net.Socket().connect(25)',
  'new WebSocket(url)',
])('S5: a new way out would be seen: %s', (line) => expect(line).toMatch(OPENS))

import { COMPILE_CACHE } from '../compile-cache.ts'
import { freshDatabase } from '../database.ts'
import { aGround, type Ground } from '../process.ts'
import { type Client, createClient } from './client.ts'
import { aLedger, type Ledger } from './ledger/ledger.ts'
import { OWNER, type ProductKind } from './ledger/protocol.ts'
import { OWN_SETTINGS, type OwnKind } from './own-accounts.ts'
import { aPostrider, type Postrider } from './postrider.ts'

/** Somebody who sends, and the ledger of the provider by which they do. */
export type Party = { ledger: Ledger; client: Client }

/** Everything that a scenario plays with, gone at its end. */
export type Stage = AsyncDisposable & {
  /** The product's own provider. */
  ledger: Ledger
  /** The users with an account of their own, and the one who sends by the product's: alone, or beside them with `all`. */
  parties: readonly Party[]
  ground: Ground
  web: Postrider
  /** The first worker, behind the ledger's first door. */
  worker: Postrider
  /** Signed in at the web process; sends by the product's own provider. */
  client: Client
  databaseUrl: string
  start: (roles: string, options?: StartOptions) => Promise<Postrider>
}

type StartOptions = {
  /** Each worker can have a door of its own at the ledger. */
  door?: number
  env?: Record<string, string>
  /** The main file of another version. */
  main?: string
}

export type StageOptions = {
  ledger: ProductKind
  doors?: number
  /** Further users, each with an account of their own at such a provider. */
  own?: readonly OwnKind[]
  /** The one who sends by the product's own provider is a party beside them. */
  all?: boolean
  env?: Record<string, string>
  /** The way to the database, as the processes shall go it. */
  by?: (databaseUrl: string) => string
  /** Web and worker are one process, as `npm start` has it; for scenarios that kill neither. */
  together?: boolean
  /** What Node is told at each start. */
  flags?: readonly string[]
  /** Where the database is, unless a fresh one of the whole run will do. */
  database?: { url: string }
}

const SECRET_KEY = 'a secret key of more than thirty-two characters'

/** Postrider, as a web process and a worker, on a database of their own, a ledger, and a person who has signed up. */
export async function aStage(options: StageOptions): Promise<Stage> {
  const { ledger: kind, doors = 1, own = [], by = (url: string) => url } = options
  // What was opened is closed in reverse, also when the next part cannot be opened.
  await using opened = new AsyncDisposableStack()
  const database = options.database ?? opened.use(await freshDatabase())
  const [ledger, ...ownLedgers] = await Promise.all([
    aLedger(kind, { doors }),
    ...own.map((name) => aLedger(name)),
  ])
  for (const one of [ledger, ...ownLedgers]) opened.use(one)
  const ground = opened.use(await aGround())

  const start: Stage['start'] = (roles, { door = 0, env = {}, main } = {}) => {
    const whole = {
      ...environment(by(database.url), roles),
      ...ledger.env(door),
      ...Object.assign({}, ...ownLedgers.map((one) => one.env())),
      ...options.env,
      ...env,
    }
    return aPostrider(ground, whole, main, options.flags)
  }
  const [web, worker] = options.together
    ? await start('web,worker').then((one) => [one, one] as const)
    : await Promise.all([start('web'), start('worker')])
  const client = createClient(web.url)
  await client.signUp(ledger)
  const parties = await Promise.all(
    own.map((name, index) => withOwnAccount(name, { web, ledger, ownLedger: ownLedgers[index] })),
  )

  const all = opened.move()
  return {
    ledger,
    parties: options.all || parties.length === 0 ? [{ ledger, client }, ...parties] : parties,
    ground,
    web,
    worker,
    client,
    databaseUrl: database.url,
    start,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

type Around = { web: Postrider; ledger: Ledger; ownLedger: Ledger | undefined }

/** Signs up, and plugs in an account of their own, as people do in the settings. */
async function withOwnAccount(kind: OwnKind, { web, ledger, ownLedger }: Around): Promise<Party> {
  if (!ownLedger) throw new Error(`there is no ledger for ${kind}`)
  const client = createClient(web.url)
  await client.signUp(ledger, `${OWNER}${kind}.test`)
  await client.save({ provider: kind, ...OWN_SETTINGS[kind] })
  return { ledger: ownLedger, client }
}

/** The inbound receiver would open one port for all tests. */
export const environment = (databaseUrl: string, roles: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  SECRET_KEY,
  ROLES: roles,
  LOG_LEVEL: 'warn',
  INBOUND_SMTP_PORT: '0',
  ...COMPILE_CACHE,
})

import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type App, createApp } from './app.ts'
import { type Config, loadConfig } from './config.ts'
import { createMetricsServer } from './instance/metrics-reader.ts'
import { SHUT_MAILBOX } from './local-mailbox/routes.ts'
import { checkDatabase, openDatabase, patiently } from './platform/database.ts'
import { openDatabaseLines } from './platform/database-lines.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres/embedded-postgres.ts'
import { filesMark } from './platform/embedded-postgres/files-mark.ts'
import { StartError } from './platform/errors.ts'
import { requireKnownKey } from './platform/key-mark.ts'
import { createLog, type Log } from './platform/log.ts'
import { migrate } from './platform/migrate.ts'
import { isLoopback } from './platform/network-address.ts'
import { keyFileOf, keyFromFile, refuseHalfReplacedKey } from './platform/secrets.ts'

/** Everything that was opened, to be closed in reverse. */
type Closers = { name: string; close: () => Promise<void> }[]

/** A service manager waits 30 s or longer; after this we leave whatever hangs. */
const CLOSE_LIMIT_MS = 29_000

async function start(config: Config, log: Log, closers: Closers): Promise<void> {
  const databaseUrl = config.databaseUrl ?? (await startOwnDatabase(config, log, closers))
  if (config.secretKey === null) await refuseHalfReplacedKey(config.dataDir)
  const masterKey = config.secretKey ?? (await keyFromFile(config.dataDir))
  const lines = openDatabaseLines(databaseUrl, log)
  closers.push({ name: 'database watch', close: async () => lines.stop() })
  const db = openDatabase(databaseUrl, log, { lines })
  closers.push({ name: 'database connections', close: () => db.destroy() })
  await checkDatabase(db)
  lines.watch()
  await migrate(databaseUrl, log)
  const keyFile = config.secretKey === null ? keyFileOf(config.dataDir) : null
  await patiently(() => requireKnownKey(db, masterKey, keyFile))

  const pagesFolder = fileURLToPath(new URL('../web/dist', import.meta.url))
  const app = await createApp({
    ...{ config, db, databaseUrl, lines, masterKey, log, pagesFolder },
    filesMark: config.databaseUrl === null ? await filesMark(config.dataDir) : null,
  })
  closers.push({ name: 'application', close: () => app.close() })
  await app.work()
  if (config.roles.has('web')) await listen(app.http, config)
  if (config.roles.has('inbound') && config.inbound.port > 0) await receive(app.inbound, config)
  if (config.metrics.port !== null) await tellMetrics(app.metrics, config.host, config.metrics.port, closers)
  if (!isStopping) announce(config)
}

/** For processes that serve no web, and for those who read metrics on a port of its own. */
async function tellMetrics(
  reader: App['metrics'],
  host: string,
  port: number,
  closers: Closers,
): Promise<void> {
  const server = createMetricsServer(reader)
  server.listen(port, host)
  await once(server, 'listening').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new StartError(
      `Port ${port} for metrics cannot be opened (${code}); set METRICS_PORT to a free one`,
    )
  })
  closers.push({
    name: 'metrics',
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  })
}

function announce({ roles, publicUrl, transport, doubts }: Config): void {
  const place = roles.has('web') ? publicUrl.origin : [...roles].join(', ')
  say(`Postrider is ready: ${place}`)
  for (const doubt of doubts) say(doubt)
  if (transport.kind !== 'local-mailbox' || !roles.has('web')) return
  say(transport.readers === 'nobody' ? SHUT_MAILBOX : `Local mailbox: ${publicUrl.origin}/local-mailbox`)
  if (!isLoopback(publicUrl.hostname))
    say('Mail does not leave this machine yet: set SMTP_URL or RESEND_API_KEY before others sign up.')
}

async function startOwnDatabase(config: Config, log: Log, closers: Closers): Promise<string> {
  const postgres = await startEmbeddedPostgres({
    dir: config.dataDir,
    log: (line) => log.debug({ postgres: line }, 'database'),
    warn: (line) => log.warn({ postgres: line }, 'database'),
  })
  closers.push({ name: 'database', close: () => postgres.stop() })
  return postgres.url
}

async function listen(http: App['http'], { host, port }: Config): Promise<void> {
  try {
    await http.listen({ host, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EADDRINUSE')
      throw new StartError(
        `Port ${port} is in use by another program; stop it, or set PORT, for example PORT=3001`,
      )
    if (code === 'EACCES')
      throw new StartError(
        `Port ${port} needs special rights; set PORT to one above 1023, for example PORT=3000`,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`HOST=${host} is no address of this machine; use 127.0.0.1, or 0.0.0.0 for all`)
    throw error
  }
}

/** A port that nobody has named may be taken: whoever does not use the receiver is not kept from starting. */
async function receive(
  inbound: App['inbound'],
  { host, inbound: { port, isWished } }: Config,
): Promise<void> {
  try {
    await inbound.listen({ host, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    const why = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be opened (${code})`
    const way = 'set INBOUND_SMTP_PORT to a free port, for example INBOUND_SMTP_PORT=2526, or to 0'
    if (isWished) throw new StartError(`Port ${port} for incoming mail ${why}; ${way}`, { cause: error })
    process.stderr.write(`No mail is received, since port ${port} ${why}; ${way}\n`)
  }
}

async function closeAll(closers: Closers, log: Log): Promise<void> {
  for (const { name, close } of closers.reverse())
    await close().catch((error: unknown) => log.error({ err: error }, `the ${name} did not close cleanly`))
}

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)

// Without a listener, a reader who has gone (Ctrl-C ends `tee` too) or a full disk would end the process, and leave its
// database behind.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

function readConfigOrLeave(): Config {
  try {
    return loadConfig()
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

const config = readConfigOrLeave()
const log = createLog(config.logLevel)
const closers: Closers = []
let isStopping = false

async function stop(exitCode: number): Promise<never> {
  await closeAll(closers, log)
  process.exit(exitCode)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    // npm passes the terminal's Ctrl-C on, so it can arrive twice; the first one counts.
    if (isStopping) return
    isStopping = true
    say('Stopping…')
    setTimeout(() => process.exit(1), CLOSE_LIMIT_MS).unref()
    // A start that is still under way is let finish: what it opened can then be closed.
    void starting.finally(() => stop(0))
  })

const starting = start(config, log, closers).catch(async (error: unknown) => {
  if (error instanceof StartError) process.stderr.write(`${error.message}\n`)
  else log.fatal({ err: error }, 'the start failed')
  if (!isStopping) await stop(1)
})

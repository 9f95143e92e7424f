import { startEmbeddedPostgres } from './embedded-postgres.ts'

// Stands for the application in tests, as a process of its own that can be killed. It prints one JSON object a line.
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

const start = performance.now()
try {
  const postgres = await startEmbeddedPostgres({
    ...JSON.parse(process.argv[2] ?? ''),
    log: (line: string) => say({ log: line }),
    warn: (line: string) => say({ log: line }),
  })
  const stop = async (signal: string) => {
    // The application drains on this signal; what it writes last is only safe if the database still serves.
    say({ signal })
    await new Promise((resolve) => process.stdin.once('data', resolve))
    await postgres.stop()
    say({ stopped: true })
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  say({ ready: true, url: postgres.url, ms: Math.round(performance.now() - start) })
} catch (error) {
  say({ error: error instanceof Error ? { name: error.name, message: error.message } : String(error) })
  process.exit(1)
}

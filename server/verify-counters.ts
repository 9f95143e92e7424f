import { runCommand } from './admin/command.ts'
import { verifyCounters } from './admin/verify-counters.ts'

// `npm run verify-counters`: another name for `npm run admin -- verify-counters`.
process.exitCode = await runCommand(verifyCounters, process.argv.slice(2))

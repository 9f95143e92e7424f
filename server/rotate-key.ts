import { runCommand } from './admin/command.ts'
import { reseal } from './admin/reseal.ts'

// `npm run rotate-key`: another name for `npm run admin -- reseal`.
process.exitCode = await runCommand(reseal, process.argv.slice(2))

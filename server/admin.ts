import { acceptKey } from './admin/accept-key.ts'
import { createUser, resetPassword } from './admin/accounts.ts'
import { backup } from './admin/backup.ts'
import { type Command, complain, runCommand, say } from './admin/command.ts'
import { dkim } from './admin/dkim.ts'
import { readBounce } from './admin/read-bounce.ts'
import { reseal } from './admin/reseal.ts'
import { restore } from './admin/restore.ts'
import { secrets } from './admin/secrets.ts'
import { users } from './admin/users.ts'
import { verifyCounters } from './admin/verify-counters.ts'

// `npm run admin -- COMMAND …`: what an operator does by hand, one file a command in admin/.

const COMMANDS: readonly Command[] = [
  createUser,
  resetPassword,
  users,
  secrets,
  reseal,
  acceptKey,
  verifyCounters,
  backup,
  restore,
  dkim,
  readBounce,
]

const LIST = COMMANDS.map(({ name, takes, does }) => `  ${`${name} ${takes}`.trimEnd()}\n      ${does}`).join(
  '\n',
)

async function start(name: string | undefined, args: readonly string[]): Promise<number> {
  if (name === 'help' || name === '--help' || name === '-h') {
    await say(`npm run admin -- COMMAND …\n${LIST}`)
    return 0
  }
  const command = COMMANDS.find((one) => one.name === name)
  if (command) return runCommand(command, args)
  return complain(
    `${name === undefined ? 'Name a command' : `There is no command ${name}`}. There are:\n${LIST}`,
  )
}

const [name, ...args] = process.argv.slice(2)
process.exitCode = await start(name, args)

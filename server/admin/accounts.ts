import { randomUUID } from 'node:crypto'
import { resetLink } from '../auth/mails.ts'
import { createPasswords } from '../auth/passwords.ts'
import { findUserByKey } from '../auth/store/accounts.ts'
import { insertReset } from '../auth/store/resets.ts'
import type { Transaction } from '../platform/database.ts'
import { requireMailAddress } from '../platform/mail-address.ts'
import { hashToken, randomToken } from '../platform/secrets.ts'
import { type Command, complain, say } from './command.ts'
import { withInstallation } from './database.ts'

// A password on a command line would stand in the history of the shell and in the list of processes. So its owner sets
// it, on the screen of those who have forgotten theirs.

export const createUser: Command = {
  name: 'create-user',
  takes: 'EMAIL',
  does: 'makes an account without any mail, and prints the link by which its owner sets the password',
  run: (email) =>
    withInstallation(async ({ config, db }) => {
      const { address, key } = requireMailAddress(email)
      // Known to nobody, and yet a hash like any other: signing in compares with it.
      const password_hash = await createPasswords().hash(randomToken(), 'admin')
      const token = await db.transaction().execute(async (tx) => {
        const user = await tx
          .insertInto('users')
          .values({ id: randomUUID(), email: address, email_key: key, password_hash })
          .onConflict((conflict) => conflict.column('email_key').doNothing())
          .returning('id')
          .executeTakeFirst()
        return user ? newReset(tx, user.id) : null
      })
      if (token === null)
        return complain(
          `${address} has an account already; for a new password: npm run admin -- reset-password ${address}`,
        )
      await handOver(`The account of ${address} is made.`, resetLink(token, config.publicUrl))
      return 0
    }),
}

export const resetPassword: Command = {
  name: 'reset-password',
  takes: 'EMAIL',
  does: 'prints the link by which the owner of an account sets a new password, where mail does not reach them',
  run: (email) =>
    withInstallation(async ({ config, db }) => {
      const { address, key } = requireMailAddress(email)
      const token = await db.transaction().execute(async (tx) => {
        const user = await findUserByKey(tx, key)
        return user && newReset(tx, user.id)
      })
      if (token === null)
        return complain(`${address} has no account; to make one: npm run admin -- create-user ${address}`)
      await handOver(
        'The password stays as it is until the link is used.',
        resetLink(token, config.publicUrl),
      )
      return 0
    }),
}

async function newReset(tx: Transaction, userId: string): Promise<string> {
  const token = randomToken()
  await insertReset(tx, hashToken(token), userId)
  return token
}

async function handOver(what: string, link: string): Promise<void> {
  await say(`${what} Hand this link to its owner alone: it sets the password, once, within one hour.`)
  await say(link)
}

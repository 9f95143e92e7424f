import { randomInt, randomUUID } from 'node:crypto'
import { CODE_DIGITS, type RegisterRequest, type VerifyRequest } from '../../contract/auth.ts'
import type { Database, Transaction } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import type { Finish, JobKind, Jobs } from '../platform/jobs.ts'
import { requireMailAddress } from '../platform/mail-address.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { ProductMailService } from '../product-mail/service.ts'
import { type Allowance, hasAllowance, takeAllowance } from './mail-allowance.ts'
import { codeMail, knownAddressMail } from './mails.ts'
import { type Passwords, refuseCommonPassword } from './passwords.ts'
import { findUserByKey, type Owner } from './store/accounts.ts'
import * as store from './store/registrations.ts'

/**
 * The request does the same work for every address; whether it is new is found out here, afterwards. So neither the
 * answer nor its time tells who has an account.
 */
export const REGISTRATION_MAIL: JobKind<{ registrationId: string; isRepeated: boolean }> = {
  name: 'registration-mail',
  options: {
    notify: true,
    retryLimit: 30,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 120,
    expireInSeconds: 60,
    heartbeatSeconds: 15,
    deleteAfterSeconds: 60 * 60,
  },
}

/** A code guards an account with 20 bits: 5 tries for each, and so many codes, leave 50 guesses a day. */
const CODES: Allowance = { kind: 'code', perHour: 5, perDay: 10 }
const CODES_ASKED_AGAIN: Allowance = { kind: 'code-again', perHour: 3, perDay: 10 }
const KNOWN_ADDRESS_MAILS: Allowance = { kind: 'known-address', perHour: 3, perDay: 10 }

const invalidCode = () => new AppError(400, 'Invalid verification code, or it has expired')
// Says nothing of others: who reads it is only known to have opened a mail.
const madeElsewhere = () =>
  new AppError(400, 'Please enter the code on the page where you signed up, or sign up again in this browser')

export type Registrations = {
  register(request: RegisterRequest, client: string): Promise<{ userId: string }>
  sendCodeAgain(registrationId: string): Promise<void>
  /**
   * Runs `begin` in the transaction that makes the account: either both happen or none. `isOwn`: the attempt was made in
   * the browser that confirms it.
   */
  verify<T>(
    request: VerifyRequest,
    caller: { client: string; isOwn: boolean },
    begin: (tx: Transaction, owner: Owner) => Promise<T>,
  ): Promise<T>
  work(): Promise<void>
}

type Dependencies = {
  db: Database
  jobs: Jobs
  secrets: Secrets
  passwords: Passwords
  productMail: Pick<ProductMailService, 'send'>
  publicUrl: URL
}

export function createRegistrations({
  db,
  jobs,
  secrets,
  passwords,
  productMail,
  publicUrl,
}: Dependencies): Registrations {
  // Peppered: a copy of the database alone does not let anyone try the million codes.
  const pepper = (registrationId: string, code: string) =>
    secrets.sign('verification code', `${registrationId}.${code}`).toString('base64url')

  /**
   * An address that has an account gets a code as well, one that is mailed to nobody: verifying behaves the same for
   * both, and activation refuses it.
   */
  async function sendMail(
    registrationId: string,
    isRepeated: boolean,
    signal: AbortSignal,
    finish: Finish,
  ): Promise<void> {
    const registration = await store.findRegistration(db, registrationId)
    if (!registration) return
    const { mailbox } = registration
    const allowances = isRepeated ? [CODES_ASKED_AGAIN, CODES] : [CODES]
    for (const allowance of allowances) if (!(await hasAllowance(db, mailbox.key, allowance))) return

    const code = randomInt(10 ** CODE_DIGITS)
      .toString()
      .padStart(CODE_DIGITS, '0')
    const codeHash = await passwords.hash(pepper(registrationId, code), 'jobs')
    // After a long wait the queue has given this try up and made another: only one of them may mail.
    signal.throwIfAborted()
    await db.transaction().execute(async (tx) => {
      // Else whoever dies before the queue has heard of it leaves a mail whose code another try replaces.
      await finish(tx)
      for (const allowance of allowances) if (!(await takeAllowance(tx, mailbox.key, allowance))) return
      await store.setCode(tx, registrationId, codeHash)
      const owner = await findUserByKey(tx, mailbox.key)
      if (!owner) await productMail.send(tx, codeMail(mailbox.address, { registrationId, code }, publicUrl))
      else if (await takeAllowance(tx, mailbox.key, KNOWN_ADDRESS_MAILS))
        await productMail.send(tx, knownAddressMail(owner.email, publicUrl))
    })
  }

  return {
    async register({ email, password }, client) {
      const mailbox = requireMailAddress(email)
      refuseCommonPassword(password)
      const id = randomUUID()
      const passwordHash = await passwords.hash(password, client)
      await db.transaction().execute(async (tx) => {
        await store.insertRegistration(tx, { id, mailbox, passwordHash })
        await jobs.enqueue(tx, REGISTRATION_MAIL, { registrationId: id, isRepeated: false })
      })
      return { userId: id }
    },

    sendCodeAgain: (registrationId) =>
      db
        .transaction()
        .execute((tx) => jobs.enqueue(tx, REGISTRATION_MAIL, { registrationId, isRepeated: true })),

    async verify({ userId, code }, { client, isOwn }, begin) {
      // Every attempt that was answered has a code, known address or not; where there is none, nobody learns anything
      // from the quick answer, and made-up ids cost no hash.
      const codeHash = await store.takeCodeTry(db, userId)
      if (codeHash === null || !(await passwords.matches(pepper(userId, code), codeHash, client)))
        throw invalidCode()
      // Whoever opens the mail of a stranger's attempt, made with their address beside their own, would get an account
      // with the stranger's password. Asked after the code, so that nobody else learns of other attempts.
      if (!isOwn && (await store.isContested(db, userId))) throw madeElsewhere()
      return db.transaction().execute(async (tx) => {
        const owner = await store.activate(tx, userId, codeHash)
        if (!owner) throw invalidCode()
        return begin(tx, owner)
      })
    },

    work: () =>
      jobs.work(REGISTRATION_MAIL, ({ registrationId, isRepeated }, signal, finish) =>
        sendMail(registrationId, isRepeated, signal, finish),
      ),
  }
}

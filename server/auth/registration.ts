import { randomInt, randomUUID } from 'node:crypto'
import { CODE_DIGITS, type RegisterRequest, type VerifyRequest } from '../../contract/auth.ts'
import type { Database, Transaction } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import type { JobKind, Jobs } from '../platform/jobs.ts'
import { parseMailAddress } from '../platform/mail-address.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { ProductMailService } from '../product-mail/service.ts'
import { codeMail, knownAddressMail } from './mails.ts'
import { type Passwords, refuseCommonPassword } from './passwords.ts'
import * as store from './store.ts'

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
const CODES = { perHour: 5, perDay: 10 }
const CODES_ASKED_AGAIN = { perHour: 3, perDay: 10 }
const KNOWN_ADDRESS_MAILS = { perHour: 3, perDay: 10 }

export type Registrations = {
  register(request: RegisterRequest): Promise<{ userId: string }>
  sendCodeAgain(registrationId: string): Promise<void>
  /** Runs `begin` in the transaction that makes the account: either both happen or none. */
  verify<T>(
    request: VerifyRequest,
    begin: (tx: Transaction, user: store.User) => Promise<T>,
  ): Promise<[store.User, T]>
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

  async function sendMail(registrationId: string, isRepeated: boolean): Promise<void> {
    const registration = await store.findRegistration(db, registrationId)
    if (!registration) return
    const { mailbox } = registration
    const code = randomInt(10 ** CODE_DIGITS)
      .toString()
      .padStart(CODE_DIGITS, '0')
    const codeHash = await passwords.hash(pepper(registrationId, code))
    await db.transaction().execute(async (tx) => {
      if (await store.findUserByKey(tx, mailbox.key)) {
        if (await store.takeMailAllowance(tx, mailbox.key, 'known-address', KNOWN_ADDRESS_MAILS))
          await productMail.send(tx, knownAddressMail(mailbox.address, publicUrl))
        return
      }
      if (isRepeated && !(await store.takeMailAllowance(tx, mailbox.key, 'code-again', CODES_ASKED_AGAIN)))
        return
      if (!(await store.takeMailAllowance(tx, mailbox.key, 'code', CODES))) return
      await store.setCode(tx, registrationId, codeHash)
      await productMail.send(tx, codeMail(mailbox.address, { registrationId, code }, publicUrl))
    })
  }

  return {
    async register({ email, password }) {
      const mailbox = parseMailAddress(email)
      if (!mailbox)
        throw new AppError(400, 'Please enter a valid e-mail address, for example name@example.com')
      refuseCommonPassword(password)
      const id = randomUUID()
      const passwordHash = await passwords.hash(password)
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

    async verify({ userId, code }, begin) {
      const codeHash = await store.takeCodeTry(db, userId)
      const isRight = await passwords.matches(pepper(userId, code), codeHash)
      const verified =
        isRight && codeHash
          ? await db.transaction().execute(async (tx) => {
              const user = await store.activate(tx, userId, codeHash)
              return user
                ? ([user, await begin(tx, user)] as [store.User, Awaited<ReturnType<typeof begin>>])
                : null
            })
          : null
      if (!verified) throw new AppError(400, 'Invalid verification code, or it has expired')
      return verified
    },

    work: () =>
      jobs.work(REGISTRATION_MAIL, ({ registrationId, isRepeated }) => sendMail(registrationId, isRepeated)),
  }
}

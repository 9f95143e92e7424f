import type { ResetPasswordRequest } from '../../contract/auth.ts'
import type { Database } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import type { Finish, JobKind, Jobs } from '../platform/jobs.ts'
import { requireMailAddress } from '../platform/mail-address.ts'
import { hashToken, randomToken } from '../platform/secrets.ts'
import type { ProductMailService } from '../product-mail/service.ts'
import { type Allowance, takeAllowance } from './mail-allowance.ts'
import { passwordChangedMail, resetMail } from './mails.ts'
import { type Passwords, refuseCommonPassword } from './passwords.ts'
import { REGISTRATION_MAIL } from './registration.ts'
import { findUserByKey } from './store/accounts.ts'
import * as store from './store/resets.ts'

/** Whether the address has an account is found out after the answer, like everything that could tell. */
export const RESET_MAIL: JobKind<{ emailKey: string }> = {
  name: 'reset-mail',
  options: REGISTRATION_MAIL.options,
}

/** No limit by the day: whoever asks in vain for an owner leaves the owner a link that is still valid. */
const RESET_MAILS: Allowance = { kind: 'reset', perHour: 3, perDay: Number.POSITIVE_INFINITY }

export type PasswordResets = {
  request(email: string): Promise<void>
  isValid(token: string): Promise<boolean>
  reset(request: ResetPasswordRequest, client: string): Promise<store.NewlySet>
  work(): Promise<void>
}

type Dependencies = {
  db: Database
  jobs: Jobs
  passwords: Passwords
  productMail: Pick<ProductMailService, 'send'>
  publicUrl: URL
}

export function createPasswordResets({
  db,
  jobs,
  passwords,
  productMail,
  publicUrl,
}: Dependencies): PasswordResets {
  const sendMail = (emailKey: string, finish: Finish): Promise<void> =>
    db.transaction().execute(async (tx) => {
      await finish(tx)
      const user = await findUserByKey(tx, emailKey)
      if (!user || !(await takeAllowance(tx, emailKey, RESET_MAILS))) return
      const token = randomToken()
      await store.insertReset(tx, hashToken(token), user.id)
      await productMail.send(tx, resetMail(user.email, token, publicUrl))
    })

  const invalidLink = () =>
    new AppError(400, 'This reset link is invalid or has expired. Please request a new one')

  return {
    async request(email) {
      const { key } = requireMailAddress(email)
      await db.transaction().execute((tx) => jobs.enqueue(tx, RESET_MAIL, { emailKey: key }))
    },

    isValid: (token) => store.isResetValid(db, hashToken(token)),

    async reset({ token, password }, client) {
      refuseCommonPassword(password)
      // Looked at first, so that guessing links does not buy the work of hashing.
      if (!(await store.isResetValid(db, hashToken(token)))) throw invalidLink()
      const passwordHash = await passwords.hash(password, client)
      return db.transaction().execute(async (tx) => {
        const user = await store.resetPassword(tx, hashToken(token), passwordHash)
        if (!user) throw invalidLink()
        await productMail.send(tx, passwordChangedMail(user, publicUrl))
        return user
      })
    },

    work: () => jobs.work(RESET_MAIL, ({ emailKey }, _signal, finish) => sendMail(emailKey, finish)),
  }
}

import { OWN_KINDS } from './own-accounts.ts'
import { sized } from './size.ts'
import type { StageOptions } from './stage.ts'

/** Who sends on a stage, and by which providers. */
export type Cast = Pick<StageOptions, 'ledger' | 'own' | 'all'>

export const BY_SMTP: Cast = { ledger: 'smtp' }
export const BY_RESEND: Cast = { ledger: 'resend' }
/** Users with an account of their own share the processes, so that each fault meets all of them. */
export const BY_OWN_ACCOUNTS: Cast = { ledger: 'resend', own: OWN_KINDS }
export const EVERYBODY_BY_HTTP: Cast = { ...BY_OWN_ACCOUNTS, all: true }

/** A start of Postrider costs more than most scenarios: in the small size one stage carries everybody who can share it. */
export const BY_HTTP = sized<Record<string, Cast>>({
  ci: { 'resend, and accounts of users’ own': EVERYBODY_BY_HTTP },
  full: { resend: BY_RESEND, 'accounts of users’ own': BY_OWN_ACCOUNTS },
})

/** The kinds of the ledgers by which the cast sends. */
export const kindsOf = ({ ledger, own = [], all = false }: Cast) =>
  all || own.length === 0 ? [ledger, ...own] : own

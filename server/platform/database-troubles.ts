import { StartError } from './errors.ts'

/** Why a database cannot serve, in one sentence that says what to do. */

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

type Sentence = (reason: string) => string

const unknownAuthority: Sentence = (reason) =>
  `The database shows a certificate of an authority that is not known here (${reason}); add sslrootcert=/path/to/ca.pem to DATABASE_URL, with the file that its operator gives out`

const outOfDate: Sentence = (reason) =>
  `The database shows a certificate that is not valid today (${reason}); have it renewed, and check the clock of this machine`

const CERTIFICATE_TROUBLES: ReadonlyMap<string, Sentence> = new Map([
  ['SELF_SIGNED_CERT_IN_CHAIN', unknownAuthority],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', unknownAuthority],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unknownAuthority],
  ['CERT_HAS_EXPIRED', outOfDate],
  ['CERT_NOT_YET_VALID', outOfDate],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    // Those of some managed databases name no host at all.
    (reason) =>
      `The database shows a certificate for another host (${reason}); write that host in DATABASE_URL, or take any host of its authority with uselibpqcompat=true&sslmode=verify-ca&sslrootcert=/path/to/ca.pem`,
  ],
])

const noAnswer: Sentence = (reason) =>
  `The database does not answer (${reason}); check DATABASE_URL, for example postgres://user:password@localhost:5432/postrider`

export function unreachable(error: unknown): StartError {
  const code = codeOf(error)
  const reason = (error instanceof Error && error.message) || code
  const certificateTrouble = CERTIFICATE_TROUBLES.get(code)
  // Behind the semicolon Node gives advice of its own, about options of Node.
  const sentence = certificateTrouble?.(reason.replace(/;.*/s, '')) ?? noAnswer(reason)
  return new StartError(sentence, { cause: error })
}

const NOT_PERMITTED = '42501'

/** What a failure to create tables or a schema comes to: that sentence, if it is for a lack of rights. */
export function explainedCreation(error: unknown): unknown {
  if (codeOf(error) !== NOT_PERMITTED) return error
  return new StartError(
    'The role in DATABASE_URL may not create all tables of Postrider; make it the owner of the database, or grant it create on the database and on schema public',
    { cause: error },
  )
}

import type { Capabilities } from './capabilities.ts'
import { wordsOf } from './outcomes.ts'
import type { Reply } from './replies.ts'
import { ConnectionFailure } from './wire.ts'

export type Credentials = { user: string; password: string }

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
const plainToken = ({ user, password }: Credentials): string => base64(`\0${user}\0${password}`)

/** A command line has 512 octets at most; what does not fit follows as a line of its own. */
const TOKEN_MAX = 490

/** Every form in which the password travels, so that a relay's echo of it is never shown. */
export const secretsOf = (credentials: Credentials | null): string[] =>
  credentials === null
    ? []
    : [credentials.password, plainToken(credentials), base64(credentials.password)].filter(Boolean)

/** Signs in, by PLAIN where it is offered and by LOGIN otherwise; throws `ConnectionFailure` with the relay's words. */
export async function signIn(
  say: (line: string) => Promise<Reply>,
  credentials: Credentials,
  offered: Capabilities['signIn'],
): Promise<void> {
  const answer = await byMechanism(say, credentials, offered)
  if (answer.code === 235) return
  throw new ConnectionFailure(`The relay refused the sign-in: ${wordsOf(answer, secretsOf(credentials))}`)
}

async function byMechanism(
  say: (line: string) => Promise<Reply>,
  credentials: Credentials,
  offered: Capabilities['signIn'],
): Promise<Reply> {
  if (offered.has('PLAIN')) {
    const token = plainToken(credentials)
    if (token.length <= TOKEN_MAX) return say(`AUTH PLAIN ${token}`)
    return inSteps(say, 'AUTH PLAIN', [token])
  }
  if (offered.has('LOGIN'))
    return inSteps(say, 'AUTH LOGIN', [base64(credentials.user), base64(credentials.password)])
  throw new ConnectionFailure(
    offered.size === 0
      ? 'The relay offers no sign-in on this connection'
      : `The relay offers no sign-in that Postrider knows (PLAIN, LOGIN), only ${[...offered].join(', ')}`,
  )
}

/** Each line is given only when the relay asks for it. */
async function inSteps(
  say: (line: string) => Promise<Reply>,
  command: string,
  lines: readonly string[],
): Promise<Reply> {
  let answer = await say(command)
  for (const line of lines) {
    if (answer.code !== 334) return answer
    answer = await say(line)
  }
  return answer
}

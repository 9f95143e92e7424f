import { INBOX_NAME_MAX, INBOX_NAME_MIN } from '../../contract/inbox.ts'

/** What stands before the @ of an inbox address: which names there can be, and which one suits somebody. */

/** Letters, digits, and single dots and dashes between them: nothing that a mail server would read in another way. */
const NAME = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/

export const isName = (name: string): boolean =>
  name.length >= INBOX_NAME_MIN && name.length <= INBOX_NAME_MAX && NAME.test(name)

/**
 * Written without dots and dashes. Mail to them is meant for whoever runs the domain: RFC 2142 asks for some, certificates
 * are given out to whoever reads others, and people trust the rest.
 */
const KEPT = new Set([
  ...['postmaster', 'hostmaster', 'webmaster', 'abuse', 'security', 'noc', 'root', 'mailerdaemon', 'daemon'],
  ...[
    'admin',
    'administrator',
    'sysadmin',
    'ssladmin',
    'ssladministrator',
    'sslwebmaster',
    'info',
    'support',
  ],
  ...[
    'mail',
    'post',
    'email',
    'mailbox',
    'inbox',
    'smtp',
    'imap',
    'pop3',
    'mta',
    'dmarc',
    'tlsrpt',
    'dkim',
    'spf',
  ],
  ...['noreply', 'donotreply', 'bounce', 'bounces', 'return', 'unsubscribe', 'subscribe', 'replies', 'reply'],
  ...['www', 'ftp', 'dns', 'news', 'usenet', 'uucp', 'autoconfig', 'autodiscover', 'wpad', 'localhost'],
  ...['help', 'helpdesk', 'billing', 'sales', 'marketing', 'legal', 'privacy', 'contact', 'team', 'staff'],
  ...['owner', 'operator', 'moderator', 'service', 'system', 'server', 'nobody', 'everyone', 'all', 'test'],
  ...['postrider', 'api', 'null', 'undefined'],
  // Feedback loops report complaints to it (`delivery/return-paths.ts`).
  'fbl',
])
/** How return paths begin. */
const RETURN_PATH = /^(?:b-)+/

export function isKept(name: string, mailFrom: string): boolean {
  const own = mailFrom.slice(0, mailFrom.lastIndexOf('@')).toLowerCase()
  return RETURN_PATH.test(name) || name === own || KEPT.has(name.replace(/[.-]/g, ''))
}

const FIRST_NUMBER = 2
const NUMBERS = 8
const WORDS = 40

/** Names that suit somebody, the best first; more than will ever be needed. `pick` chooses one of so many. */
export function* namesFor(
  { email, senderName }: { email: string; senderName: string },
  pick: (count: number) => number,
): Generator<string> {
  const at = email.lastIndexOf('@')
  const local = plain(email.slice(0, at).split('+', 1)[0] ?? '')
  const domain = plain(email.slice(at + 1).split('.', 1)[0] ?? '')
  const sender = plain(senderName)
  const stem = [local, sender].find(canGoOn) ?? 'post'
  yield cut(local)
  yield cut(`${stem}-${domain}`)
  yield cut(sender)
  for (let n = FIRST_NUMBER; n < FIRST_NUMBER + NUMBERS; n += 1) yield withSuffix(stem, String(n))
  for (let n = 0; n < WORDS; n += 1) yield withSuffix(stem, syllables(pick))
}

/** Whoever is called `b` would get nothing but names that begin like return paths. */
const canGoOn = (stem: string): boolean => stem !== '' && !RETURN_PATH.test(`${stem}-`)

/** As ASCII letters: accents fall off, everything else that is no letter becomes a dash. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, (signs) => (signs === '.' ? '.' : '-'))
    .replace(/^[.-]+|[.-]+$/g, '')
    .replace(RETURN_PATH, '')

const cut = (name: string, length = INBOX_NAME_MAX): string => name.slice(0, length).replace(/[.-]+$/, '')

const withSuffix = (stem: string, suffix: string): string =>
  `${cut(stem, INBOX_NAME_MAX - suffix.length - 1)}-${suffix}`

const CONSONANTS = 'bdfgklmnprstvz'
const VOWELS = 'aeiou'

/** Two of them: what can be said aloud can be told to somebody. */
const syllables = (pick: (count: number) => number): string =>
  [CONSONANTS, VOWELS, CONSONANTS, VOWELS].map((letters) => letters[pick(letters.length)]).join('')

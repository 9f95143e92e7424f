import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'
import type { Browser } from './browser.ts'
import type { RunningApp } from './running-app.ts'

/** A secret, and the places where it belongs: to whoever it is for. */
export type Canary = { name: string; value: string; belongsIn?: RegExp }

/** Something that people or operators can read, by the place where they do. */
export type Place = { where: string; text: string }

/** As it is, and as it would stand there encoded: base64 looks different by where in a text its three bytes begin. */
function spellingsOf(secret: string): string[] {
  const inBase64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]).toString('base64')
    const isWhole = (before + Buffer.byteLength(secret)) % 3 === 0
    return text.slice(before === 0 ? 0 : 4, isWhole ? undefined : -4)
  })
  // A few digits, such as those of a code, are in any long text once they are encoded.
  if (secret.length < 8) return [secret]
  const plain = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]
  const encoded = [Buffer.from(secret).toString('hex'), ...inBase64]
  return [...plain, ...encoded, ...encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))]
}

/** Ids and hashes, of which some hold any six digits in a row by chance. */
const IDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{32,}/g

/** Which secrets stand where they do not belong. */
export function escaped(canaries: readonly Canary[], places: readonly Place[]): string[] {
  return canaries.flatMap(({ name, value, belongsIn }) => {
    // Digits alone are a code only where they are not a part of a longer number, such as a time.
    const isCode = /^\d+$/.test(value)
    const isIn = (text: string, spelling: string) =>
      isCode
        ? new RegExp(`(?<![\\d.])${spelling}(?!\\d)`).test(text.replaceAll(IDS, 'an id'))
        : text.includes(spelling)
    return places
      .filter(({ where }) => !belongsIn?.test(where))
      .filter(({ text }) => spellingsOf(value).some((spelling) => isIn(text, spelling)))
      .map(({ where }) => `${name} in ${where}`)
  })
}

/** Everything in the database, a place for each table, those of the job queue among them. */
export async function dumpOf(db: Database): Promise<Place[]> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')`.execute(db)
  return Promise.all(
    rows.map(async ({ name }) => {
      const dump = await sql<{ text: string | null }>`
        select string_agg(t::text, E'\n') as text from ${sql.raw(name)} t`.execute(db)
      return { where: `the table ${name}`, text: dump.rows[0]?.text ?? '' }
    }),
  )
}

/** The same application, but every answer that a browser of it gets is noted; cookies are where their tokens belong. */
export function overheard(running: RunningApp): { running: RunningApp; answers: Place[] } {
  const answers: Place[] = []
  const noting = (browser: Browser): Browser => {
    const note = async (what: string, asked: ReturnType<Browser['get']>) => {
      const answer = await asked
      const { 'set-cookie': _, ...headers } = answer.headers
      answers.push({ where: `the answer to ${what}`, text: `${JSON.stringify(headers)}\n${answer.text}` })
      return answer
    }
    return {
      cookies: browser.cookies,
      get: (path, headers) => note(`GET ${path}`, browser.get(path, headers)),
      post: (path, body, headers) => note(`POST ${path}`, browser.post(path, body, headers)),
      send: (request) => note(`${request.method} ${request.path}`, browser.send(request)),
    }
  }
  return { running: { ...running, browser: (options) => noting(running.browser(options)) }, answers }
}

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../platform/database.ts'
import { createLog } from '../platform/log.ts'
import { databaseUrl } from './global-setup.ts'

export type TestDatabase = AsyncDisposable & { url: string; db: Database }

/** A migrated database of its own for whoever asks: a copy of the template, some tens of milliseconds. */
export const freshDatabase = (): Promise<TestDatabase> => aDatabase(`template ${inject('postgres').template}`)

/** One without any table, as an operator makes it. */
export const emptyDatabase = (): Promise<TestDatabase> => aDatabase('')

let administration: pg.Pool | undefined

/** A connection costs as much as half a database, so those that make and drop them are kept. */
function administer(statement: string): Promise<unknown> {
  if (!administration) {
    administration = new pg.Pool({
      connectionString: inject('postgres').url,
      max: 2,
      // Nothing else may keep a process that has run all its tests.
      allowExitOnIdle: true,
    })
    // The server is stopped at the end of the run, whoever is still connected.
    administration.on('error', () => {})
  }
  return administration.query(statement)
}

async function aDatabase(from: string): Promise<TestDatabase> {
  const { url: serverUrl } = inject('postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(`create database ${name} ${from}`)
  const url = databaseUrl(serverUrl, name)
  const db = openDatabase(url, createLog('error'))
  return {
    url,
    db,
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await administer(`drop database if exists ${name} with (force)`)
    },
  }
}

import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../platform/database.ts'
import { createLog } from '../platform/log.ts'
import { databaseUrl, run } from './global-setup.ts'

export type TestDatabase = AsyncDisposable & { url: string; db: Database }

/** A migrated database of its own for whoever asks: a copy of the template, some tens of milliseconds. */
export const freshDatabase = (): Promise<TestDatabase> => aDatabase(`template ${inject('postgres').template}`)

/** One without any table, as an operator makes it. */
export const emptyDatabase = (): Promise<TestDatabase> => aDatabase('')

async function aDatabase(from: string): Promise<TestDatabase> {
  const { url: serverUrl } = inject('postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  await run(serverUrl, `create database ${name} ${from}`)
  const url = databaseUrl(serverUrl, name)
  const db = openDatabase(url, createLog('error'))
  return {
    url,
    db,
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await run(serverUrl, `drop database if exists ${name} with (force)`)
    },
  }
}

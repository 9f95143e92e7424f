import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../platform/database.ts'
import { createLog } from '../platform/log.ts'
import { databaseUrl, run } from './global-setup.ts'

export type TestDatabase = AsyncDisposable & { url: string; db: Database }

/** A migrated database of its own for whoever asks: a copy of the template, some tens of milliseconds. */
export async function freshDatabase(): Promise<TestDatabase> {
  const { url: serverUrl, template } = inject('postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  await run(serverUrl, `create database ${name} template ${template}`)
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

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { inWords, recount } from '../../delivery/store/recount.ts'
import { openDatabase } from '../../platform/database.ts'
import { createLog } from '../../platform/log.ts'
import { SIZE } from './size.ts'
import { environment } from './stage.ts'

const PROGRAM = fileURLToPath(new URL('../../verify-counters.ts', import.meta.url))

/**
 * What the operator's check command complains about; that of another version where the database is its. The command has
 * a test of its own, so in the small size only its recount is made, without a process for each.
 */
export const countersThatDiffer = (databaseUrl: string, program?: string): Promise<string[]> =>
  SIZE === 'ci' && program === undefined
    ? recounted(databaseUrl)
    : complaintsOf(program ?? PROGRAM, databaseUrl)

async function recounted(databaseUrl: string): Promise<string[]> {
  const db = openDatabase(databaseUrl, createLog('silent'), { isPatient: true, size: 1 })
  try {
    const { differences } = await recount(db)
    return differences.map(inWords)
  } finally {
    await db.destroy()
  }
}

async function complaintsOf(program: string, databaseUrl: string): Promise<string[]> {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [program], {
    env: { PATH, ...environment(databaseUrl, 'web') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return code === 0 ? [] : [output.trim() || `ended with ${code}`]
}

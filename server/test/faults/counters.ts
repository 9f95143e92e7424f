import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { environment } from './stage.ts'

const PROGRAM = fileURLToPath(new URL('../../verify-counters.ts', import.meta.url))

/** What the operator's check command complains about; that of another version where the database is its. */
export async function countersThatDiffer(databaseUrl: string, program = PROGRAM): Promise<string[]> {
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

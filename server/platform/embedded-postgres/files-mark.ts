import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { preparePlaces } from './places.ts'

/**
 * What a copy of these files does not carry, however faithful it is: when the file was made, to the nanosecond, which no
 * program can set on Linux. A reboot, another device number and a move within a file system leave it as it is; inode
 * numbers would do less, since some file systems give them out anew at each mount, and others give those of a removed
 * file to its copy. Where programs may set the time, as on macOS, the number of the file is never given out again.
 *
 * PostgreSQL writes pg_control in place as long as the database lives, and whatever puts older files back over newer
 * ones replaces it. Ask while the database runs: it has been written then, so that its birth and its last change differ.
 * Null where the file system does not tell: it then shows nothing, or the last change.
 */
export async function filesMark(dir: string): Promise<string | null> {
  const { data } = await preparePlaces(dir)
  const { ino, birthtimeNs, ctimeNs } = await stat(join(data, 'global/pg_control'), { bigint: true })
  if (process.platform !== 'linux') return `file-${ino}`
  return birthtimeNs === 0n || birthtimeNs === ctimeNs ? null : `born-${birthtimeNs}`
}

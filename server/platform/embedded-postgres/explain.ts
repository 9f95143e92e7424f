import { StartError } from '../errors.ts'

/** PostgreSQL cannot be started here; the message is one or two sentences with the cure. */
export class PostgresStartError extends StartError {
  override name = 'PostgresStartError'
}

export class AlreadyRunningError extends StartError {
  override name = 'AlreadyRunningError'
  readonly pid: number | null

  constructor(shownDir: string, pid: number | null) {
    super(
      `Postrider is already running with DATA_DIR ${shownDir}${pid === null ? '' : ` (process ${pid})`}. Stop it first, or set another DATA_DIR.`,
    )
    this.pid = pid
  }
}

export const OTHER_DATABASE = 'or set DATABASE_URL to a PostgreSQL that you already have'

const fullDisk = (dir: string): string =>
  `The disk that holds DATA_DIR ${dir} is full. Free some space and start again, or set DATA_DIR to a folder on another disk.`
const mayNotWrite = (dir: string): string =>
  `Postrider may not write to DATA_DIR ${dir}. Give the folder to the user that runs Postrider (chown -R), or set DATA_DIR to another folder.`
const readOnly = (dir: string): string =>
  `DATA_DIR ${dir} lies on a file system that is read-only. Set DATA_DIR to a folder that can be written to; under systemd name it in ReadWritePaths= of the unit too.`

const BY_CODE: Readonly<Record<string, (dir: string) => string>> = {
  EACCES: mayNotWrite,
  EPERM: mayNotWrite,
  EROFS: readOnly,
  ENOSPC: fullDisk,
  EDQUOT: fullDisk,
  ENOTDIR: (dir) =>
    `DATA_DIR ${dir} is not a folder. Remove the file of that name, or set DATA_DIR to another folder.`,
  EEXIST: (dir) =>
    `DATA_DIR ${dir} is not a folder. Remove the file of that name, or set DATA_DIR to another folder.`,
}

/** A file error of our own as a sentence; what is no file error passes through unchanged. */
export function explainFileError(error: unknown, dir: string): unknown {
  const sentence = BY_CODE[codeOf(error)]
  return sentence ? new PostgresStartError(sentence(dir), { cause: error }) : error
}

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

// In order: the first that fits what PostgreSQL printed gives the sentence.
const BY_OUTPUT: readonly [RegExp, (dir: string, found: RegExpMatchArray) => string][] = [
  [
    /error while loading shared libraries: ([^\s:]+)|Library not loaded: (\S+)/,
    (_, found) =>
      `Postrider's own PostgreSQL needs the library ${found[1] ?? found[2]}, which this system lacks. Install it, ${OTHER_DATABASE}.`,
  ],
  [
    /shared memory.*(No space left on device|Cannot allocate memory)/,
    () =>
      'The shared memory of this machine (/dev/shm) is too small for PostgreSQL. Enlarge it (in Docker: --shm-size=256m) and start again.',
  ],
  [/No space left on device|Disk quota exceeded/, fullDisk],
  [/Read-only file system/, readOnly],
  [
    /could not look up effective user ID (\d+)/,
    (_, found) =>
      `The user with the number ${found[1]} has no name on this system, and PostgreSQL needs one. Run Postrider as a user that /etc/passwd lists, ${OTHER_DATABASE}.`,
  ],
  [
    /pre-existing shared memory block|lock file ".*" already exists/,
    (dir) =>
      `Another PostgreSQL still uses the database in DATA_DIR ${dir}. Stop that process first, or set another DATA_DIR.`,
  ],
  [/Permission denied|wrong ownership/, mayNotWrite],
]

/** What PostgreSQL printed before it gave up, as a sentence; unknown trouble quotes its last meaningful line. */
export function explainOutput(output: string, dir: string, logFile?: string): PostgresStartError {
  for (const [pattern, sentence] of BY_OUTPUT) {
    const found = output.match(pattern)
    if (found) return new PostgresStartError(sentence(dir, found), { cause: new Error(output.trim()) })
  }
  const where = logFile ? ` The whole log is in ${logFile}.` : ''
  const said = lastMeaningfulLine(output)
  return new PostgresStartError(
    said
      ? `PostgreSQL did not start in DATA_DIR ${dir}; it says: ${said}.${where}`
      : `PostgreSQL did not start in DATA_DIR ${dir} and gave no reason.${where}`,
    { cause: new Error(output.trim()) },
  )
}

/** The last complaint without its time stamp; "the system is shut down" after it would say nothing. */
function lastMeaningfulLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const complaint = /\b(FATAL|PANIC|ERROR|error)\b/
  const line = lines.findLast((text) => complaint.test(text)) ?? lines.at(-1) ?? ''
  return line
    .replace(/^\S+ \S+ \S+ \[\d+\] /, '')
    .trim()
    .replace(/\.$/, '')
}

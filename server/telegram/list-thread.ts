import { parentPort, workerData } from 'node:worker_threads'
import { addressListOf, type ListFile } from './address-list.ts'

/** The thread in which one large file is read. It may be ended at any moment. */

const { file, most } = workerData as { file: ListFile; most: number }
parentPort?.postMessage(addressListOf(file, most))

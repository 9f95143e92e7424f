import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { type DatabaseOptions, PgBoss, type Queue } from 'pg-boss'
import { type Database, isDatabaseAway, patiently, type Transaction } from './database.ts'
import type { DatabaseLines } from './database-lines.ts'
import { explainedCreation } from './database-troubles.ts'
import type { Log } from './log.ts'

/** A kind of background work: the shape of its data and how stubbornly it is repeated. */
export type JobKind<Data extends object> = {
  name: string
  options: Omit<Queue, 'name'>
  readonly data?: Data
}

/** Thrown by a handler that expects to succeed later and has said so itself: the log need not hear it twice. */
export class TryAgain extends Error {
  override name = 'TryAgain'
}

/**
 * Ends the job with the rows of this transaction: they are written once, also where the process dies right after, and
 * not at all where the queue has given this try up and another is under way.
 */
export type Finish = (tx: Transaction) => Promise<void>

export type Jobs = {
  /** Commits together with the rows of the same transaction, or not at all. */
  enqueue<Data extends object>(
    tx: Transaction | Database,
    kind: JobKind<Data>,
    data: Data,
    when?: { afterSeconds: number; oncePer: string },
  ): Promise<void>
  /** A handler that throws is tried again as its kind says. */
  work<Data extends object>(kind: JobKind<Data>, handler: Handler<Data>): Promise<void>
  /** Throws away what waits and has not begun. */
  discard(kind: Pick<JobKind<object>, 'name'>): Promise<void>
  stop(): Promise<void>
}

/** The signal aborts when the process must stop. Who calls no `finish` may be called again after all is done. */
type Handler<Data> = (data: Data, signal: AbortSignal, finish: Finish) => Promise<void>

type JobsOptions = {
  url: string
  lines?: DatabaseLines | undefined
  log: Log
  kinds: readonly Pick<JobKind<object>, 'name' | 'options'>[]
  /** Only processes that work keep house: expiring, retrying, deleting. */
  works: boolean
}

/** Long enough for a mail that is under way, short enough for a service manager's patience. */
const DRAIN_MS = 15_000
/** Jobs of one kind that a process has under way at the same time. */
const AT_ONCE = 4
/**
 * New jobs arrive by notification. Nobody announces when a retry is due, or what came while the notifications were cut
 * off: one looks for all of its kind.
 */
const LOOK_MS = 2_000
/** How often each looks for itself: where there are no notifications at all, and where there are. */
const POLLING = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 60 }

export async function startJobs({ url, lines, log, kinds, works }: JobsOptions): Promise<Jobs> {
  const connection: DatabaseOptions & { stream?: () => Socket } = lines ? { stream: lines.socket } : {}
  const boss = new PgBoss({
    // Handed on to `pg` as it is, which knows more options than the queue names.
    ...connection,
    connectionString: url,
    application_name: 'postrider jobs',
    max: works ? 4 : 2,
    connectionTimeoutMillis: 1_500,
    supervise: works,
    schedule: false,
    // A worker that was killed is noticed within this time, after its last heartbeat has run out.
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    useListenNotify: works,
    // No job of ours waits for another one.
    flowIntervalSeconds: 3_600,
  })
  boss.on('error', (error) => {
    // The watch over the database says when it is away, once.
    const level = isDatabaseAway(error) ? 'debug' : 'warn'
    log[level]({ err: error }, 'the job queue had a failure; it goes on by itself')
  })
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'the job queue warns'))
  await patiently(() => startWith(boss, kinds))

  const worked = new Set<string>()
  const looks: NodeJS.Timeout[] = []
  return {
    async enqueue(tx, kind, data, when) {
      await boss.send(kind.name, data, {
        ...(when ? { startAfter: when.afterSeconds, singletonKey: when.oncePer, singletonSeconds: 1 } : {}),
        db: within(tx),
      })
    },

    async work<Data extends object>(kind: JobKind<Data>, handler: Handler<Data>) {
      worked.add(kind.name)
      const idle = new Set<string>()
      const letOneLook = () => {
        const [first] = idle
        if (first === undefined) return
        // By turns: if one is held up before it can look, the next look is another's.
        idle.delete(first)
        idle.add(first)
        boss.notifyWorker(first)
      }
      for (let worker = 0; worker < AT_ONCE; worker++) {
        let id = ''
        id = await boss.work<Data>(kind.name, POLLING, async ([job]) => {
          if (!job) return
          idle.delete(id)
          // Where one job was due there may be more.
          letOneLook()
          try {
            await handler(job.data, job.signal, async (tx) => {
              const completed = await boss.complete(kind.name, job, null, { db: within(tx) })
              // Documented, and left out of the queue's own types.
              if ((completed as { affected: number }).affected === 0)
                throw new TryAgain('the queue has given this try up')
            })
          } catch (error) {
            // The queue keeps errors in its table, where nobody looks.
            if (!(error instanceof TryAgain) && !isDatabaseAway(error))
              log.error({ err: error, job: kind.name }, 'background work failed and is tried again')
            throw error
          } finally {
            idle.add(id)
            // The same holds afterwards: to wait for the next look would take seconds.
            boss.notifyWorker(id)
          }
        })
        idle.add(id)
      }
      looks.push(setInterval(letOneLook, LOOK_MS).unref())
    },

    discard: ({ name }) => boss.deleteQueuedJobs(name),

    async stop() {
      for (const look of looks) clearInterval(look)
      // Whoever has nothing to do ends at once; left to itself the queue looks only half a second later whether they have.
      const ended = Promise.all([...worked].map((name) => boss.offWork(name)))
      await Promise.race([ended, sleep(DRAIN_MS, undefined, { ref: false })])
      await boss.stop({ graceful: false })
    },
  }
}

/** Has the queue write in a transaction of ours. */
const within = (tx: Transaction | Database) => ({
  executeSql: (text: string, values?: unknown[]) => tx.executeQuery(CompiledQuery.raw(text, values)),
})

async function startWith(boss: PgBoss, kinds: JobsOptions['kinds']): Promise<void> {
  try {
    await boss.start()
    for (const { name, options } of kinds) {
      await boss.createQueue(name, options)
      // The queue may stem from an earlier version: what the code says now applies. A policy cannot change.
      const { policy, partition, ...changeable } = options
      await boss.updateQueue(name, changeable)
    }
  } catch (error) {
    // What has begun must not go on beside another try.
    await boss.stop({ graceful: false }).catch(() => {})
    // The queue keeps a schema of its own.
    throw explainedCreation(error)
  }
}

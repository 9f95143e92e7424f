import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'

/** The addresses behind a name; the signal ends the question. */
export type LookUp = (host: string, signal?: AbortSignal) => Promise<readonly string[]>

/** As every program on this machine asks: its hosts file, its search domains, whatever else it is set up with. */
export const lookUpAsSystem: LookUp = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/** The name exists, without an address of this family; or it does not exist. */
const NO_ADDRESS = ['ENODATA', 'ENOTFOUND']

/** How much longer the second family is waited for: a name server that ignores one must not use up all the time. */
const SECOND_FAMILY_MS = 1000

type Options = {
  /** `address:port` of the name servers; those of this machine unless said otherwise. */
  servers?: readonly string[]
  hostsFile?: string
}

/**
 * For a name that anybody may give. The system's look-up occupies one of very few threads until the name is answered
 * for, and whoever owns a domain decides when that is: with two silent names all look-ups of all users would stand
 * still. Questions of our own wait beside each other, and end when their asker gives up.
 */
export function createNameLookup({ servers, hostsFile = '/etc/hosts' }: Options = {}): LookUp {
  return async (host, signal) => {
    // Nobody owns a name without a dot, so nobody can let it wait: localhost, and those of the operator's own network.
    if (!host.includes('.')) return lookUpAsSystem(host)
    const written = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), host)
    if (written.length > 0) return written

    signal?.throwIfAborted()
    const resolver = new Resolver()
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      // IPv4 first: where there is no IPv6 its addresses fail at once, while some mail hosts refuse those who have it.
      const questions = [resolver.resolve4(host), resolver.resolve6(host)]
      Promise.any(questions).then(
        () => setTimeout(cancel, SECOND_FAMILY_MS).unref(),
        () => {},
      )
      const answers = await Promise.allSettled(questions)
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      if (addresses.length > 0) return addresses
      const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
      // No name server where one should be: this machine may know another way.
      if (failures.every(({ code }) => code === 'ECONNREFUSED')) return await lookUpAsSystem(host)
      throw failures.find(({ code }) => !NO_ADDRESS.includes(code)) ?? failures[0]
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }
}

/** Whether a look-up failed for good: everything else may succeed in a minute. */
export const isUnknownName = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && [...NO_ADDRESS, 'EBADNAME'].includes(String(error.code))

function addressesIn(hosts: string, name: string): string[] {
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    return names.includes(name) ? [address] : []
  })
}

import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { readHost } from './host-name.ts'
import { createNameLookup, isUnknownName, type LookUp, lookUpAsSystem } from './name-lookup.ts'
import { canonicalAddress, isPublicAddress } from './network-address.ts'

/** Opens one TCP connection to the place it was made for; whatever stands in the way is a `DialError`. */
export type Dial = (options: { timeoutMs: number; signal?: AbortSignal | undefined }) => Promise<Socket>

type DialErrorKind = 'not-allowed' | 'dns' | 'unreachable' | 'timeout'

/** Its message is a sentence for the person who named the host. */
export class DialError extends Error {
  override name = 'DialError'
  readonly kind: DialErrorKind

  constructor(kind: DialErrorKind, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.kind = kind
  }
}

type Network = {
  resolve?: LookUp
  open?: (address: string, port: number) => Socket
  /** The addresses of this machine, public ones too: what listens here relies on the firewall in front. */
  ownAddresses?: () => readonly string[]
}

type DialerOptions = Network & {
  /** `host` or `host:port`, as in ALLOW_PRIVATE_HOSTS: where the operator lets connections into his own network. */
  allowedPrivate: readonly string[]
}

/**
 * The one way out to a host that a user may name. The name is looked up once, every answer is judged, and the
 * connection goes to an address that was judged: nobody gets to look the name up a second time and find another.
 */
export function createDialer({
  allowedPrivate,
  resolve = createNameLookup(),
  open = openSocket,
  ownAddresses = addressesOfThisMachine,
}: DialerOptions): (host: string, port: number) => Dial {
  const isAllowed = privateRules(allowedPrivate)

  return (text, port) => async (options) => {
    const host = readHost(text)
    if (host === null) throw new DialError('not-allowed', NOT_A_HOST)
    if (!(Number.isInteger(port) && port >= 1 && port <= 65_535))
      throw new DialError('not-allowed', 'A port is a number from 1 to 65535')
    // The operator answers for the names in his list, and knows them as his machine does.
    if (isAllowed(host, port)) return trustedDial(host, port, { open })(options)
    return dial({ host, port }, options, {
      resolve,
      open,
      judge(addresses) {
        const own = new Set(ownAddresses())
        const mayReach = (address: string) =>
          isAllowed(address, port) || (isPublicAddress(address) && !own.has(address))
        // One bad answer condemns all: an honest public name has none.
        if (!addresses.map(canonicalAddress).every(mayReach))
          throw new DialError('not-allowed', notAllowed(host, port))
      },
    })
  }
}

/** To a host that the operator named, wherever it is. */
export const trustedDial =
  (text: string, port: number, { resolve = lookUpAsSystem, open = openSocket }: Network = {}): Dial =>
  (options) => {
    const host = text.replace(/^\[(.*)\]$/, '$1')
    return dial({ host, port }, options, { resolve, open, judge: () => {} })
  }

const NOT_A_HOST = 'This is not the name of a host; write it like smtp.example.com'
const notAllowed = (host: string, port: number): string => {
  const rule = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  return `${host} is not on the public internet. Whoever runs Postrider can allow it with ALLOW_PRIVATE_HOSTS=${rule}`
}

type Target = { host: string; port: number }
type Ways = Required<Pick<Network, 'resolve' | 'open'>> & { judge: (addresses: readonly string[]) => void }

async function dial(target: Target, { timeoutMs, signal }: Parameters<Dial>[0], ways: Ways): Promise<Socket> {
  const deadline = performance.now() + timeoutMs
  const end = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
  const tooLate = (cause: unknown) => {
    const what = signal?.aborted ? 'was stopped' : 'took too long'
    return new DialError('timeout', `Connecting to ${target.host} on port ${target.port} ${what}`, { cause })
  }
  if (end.aborted) throw tooLate(end.reason)

  const addresses =
    isIP(target.host) === 0 ? await addressesOf(target.host, ways, end, tooLate) : [target.host]
  ways.judge(addresses)

  const chosen = inTurn(addresses)
  const failures: unknown[] = []
  for (const [index, address] of chosen.entries()) {
    // An address that keeps silent must leave time for the next one.
    const share = Math.max(1, Math.floor((deadline - performance.now()) / (chosen.length - index)))
    try {
      return await connected(
        ways.open(address, target.port),
        AbortSignal.any([end, AbortSignal.timeout(share)]),
      )
    } catch (error) {
      failures.push(error)
    }
    if (end.aborted) break
  }
  if (end.aborted || failures.every(isSilence)) throw tooLate(failures.at(-1))
  throw new DialError('unreachable', `${target.host} takes no connections on port ${target.port}`, {
    cause: failures.find((error) => !isSilence(error)),
  })
}

async function addressesOf(
  host: string,
  { resolve }: Ways,
  end: AbortSignal,
  tooLate: (cause: unknown) => DialError,
): Promise<readonly string[]> {
  // The system's look-up cannot be taken back, only left behind.
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const onEnd = () => reject(tooLate(end.reason))
  end.addEventListener('abort', onEnd, { once: true })
  try {
    const addresses = await Promise.race([resolve(host, end), ended])
    if (addresses.length === 0) throw new DialError('dns', `${host} has no address`)
    return addresses
  } catch (error) {
    if (error instanceof DialError) throw error
    const sentence = isUnknownName(error)
      ? 'was not found; please check its spelling'
      : 'cannot be looked up at the moment'
    throw new DialError('dns', `${host} ${sentence}`, { cause: error })
  } finally {
    end.removeEventListener('abort', onEnd)
  }
}

async function connected(socket: Socket, signal: AbortSignal): Promise<Socket> {
  try {
    await once(socket, 'connect', { signal })
    return socket
  } catch (error) {
    // What a given-up attempt still has to say interests nobody, and must not end the process.
    socket.on('error', () => {})
    socket.destroy()
    throw error
  }
}

const isSilence = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || ('code' in error && error.code === 'ETIMEDOUT'))

/** Two of each family at most, by turns: a long list behind one broken family would use up all the time. */
function inTurn(addresses: readonly string[]): string[] {
  const first = isIP(addresses[0] ?? '')
  const same = addresses.filter((address) => isIP(address) === first)
  const other = addresses.filter((address) => isIP(address) !== first)
  return [same[0], other[0], same[1], other[1]].filter((address) => address !== undefined)
}

/** Whether the operator's rules name a host and port. */
export function privateRules(rules: readonly string[]): (host: string, port: number) => boolean {
  const allowed = new Set<string>()
  for (const rule of rules) {
    const [, text = '', port = 'any'] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(rule) ?? []
    const host = readHost(text)
    if (host !== null) allowed.add(`${host} ${port}`)
  }
  return (host, port) => allowed.has(`${host} any`) || allowed.has(`${host} ${port}`)
}

const openSocket = (address: string, port: number): Socket =>
  connect({ host: address, port, autoSelectFamily: false })

const addressesOfThisMachine = (): string[] =>
  Object.values(networkInterfaces()).flatMap((some) => some?.map(({ address }) => address) ?? [])

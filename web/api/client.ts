import { QueryCache, QueryClient, type QueryFunctionContext } from '@tanstack/react-query'
import { PAGE_USER_HEADER } from '../../contract/auth.ts'
import { isStanding, pageUser, setStanding } from './page-session.ts'

/** The server answered and said no. The message is what people see: "404: This template does not exist". */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly headers: Headers

  constructor(status: number, text: string, headers: Headers) {
    super(`${status}: ${text}`)
    this.status = status
    this.headers = headers
  }
}

/** For a deletion: gone already, in another tab, is what was wanted. */
export function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}

/** There was no answer, or not all of it. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** Far beyond any healthy answer; without it a silent server would leave a spinner turning for ever. */
const TIMEOUT_MS = 60_000

interface RequestOptions {
  headers?: Record<string, string>
  signal?: AbortSignal
  timeoutMs?: number
  /** Goes through even when the page is left at that moment. */
  keepalive?: boolean
}

export const sessionKey = ['/api/auth/session'] as const
/** By this a page learns who is signed in: the one question that is answered whoever that is. */
export const WHO_IS_THERE = sessionKey.join('/')

/**
 * With this the server refuses whatever is asked while another account than the page's is signed in: nothing is written
 * there, and nothing of it is read as if it were the page's own.
 */
function asPageUser(): Record<string, string> {
  const id = pageUser()
  return id === null ? {} : { [PAGE_USER_HEADER]: id }
}

/** Sends one request; a JSON body goes along only when a payload is given. */
export async function apiRequest(
  method: string,
  url: string,
  payload?: unknown,
  { headers = {}, signal, timeoutMs = TIMEOUT_MS, keepalive = false }: RequestOptions = {},
): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const isOwnWrite = method !== 'GET' && pageUser() !== null
  const init: RequestInit = {
    method,
    headers: {
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...(url === WHO_IS_THERE ? {} : asPageUser()),
      ...headers,
    },
    credentials: 'include',
    keepalive,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  }
  if (payload !== undefined) init.body = JSON.stringify(payload)

  const fail: Failing = (cause) => {
    if (signal?.aborted) throw cause
    throw new ConnectionError(
      timeout.aborted
        ? 'Postrider did not answer in time. Please try again.'
        : 'Postrider cannot be reached. Check your connection and try again.',
      { cause },
    )
  }
  const response = await fetch(url, init).catch(fail)
  failures.set(response, fail)
  if (isOwnWrite) noteWrite(response)
  if (!response.ok) throw await errorFrom(response)
  return response
}

type Failing = (cause: unknown) => never
/** What to say where the rest of an answer does not come. */
const failures = new WeakMap<Response, Failing>()

/** The body of an answer: it may break off on its way, which is no answer either. */
export const readText = (response: Response): Promise<string> => response.text().catch(failures.get(response))

export const readJson = async (response: Response): Promise<unknown> => JSON.parse(await readText(response))

/** A refused write stays on its screen, so that nothing typed is lost: the page says why, until one is taken again. */
function noteWrite({ ok, status }: Response): void {
  if (status === 401) setStanding('signed out')
  if (ok && !isStanding('signed in')) setStanding('signed in')
}

async function errorFrom(response: Response): Promise<ApiError> {
  const body = await response.text().catch(() => '')
  return new ApiError(response.status, body || response.statusText, response.headers)
}

const NOT_UNDERSTOOD = 'Postrider gave an answer that this page does not understand.'

/** What to tell people: the server's words, else the sentence the screen has for this failure. */
export function messageOf(error: unknown, fallback = NOT_UNDERSTOOD): string {
  const isForPeople = error instanceof ApiError || error instanceof ConnectionError
  return isForPeople && error.message ? error.message : fallback
}

interface QueryFnOptions {
  on401: 'throw' | 'return-null'
}

/** The default read: GET of the key's parts joined with slashes, parsed as JSON. */
function createQueryFn({ on401 }: QueryFnOptions = { on401: 'throw' }) {
  return async ({ queryKey, signal }: QueryFunctionContext): Promise<unknown> => {
    try {
      const response = await apiRequest('GET', queryKey.join('/'), undefined, { signal })
      return await readJson(response)
    } catch (error) {
      if (on401 === 'return-null' && error instanceof ApiError && error.status === 401) return null
      throw error
    }
  }
}

/** `askWho` is called when a read was refused because the session has ended, or is somebody else's by now. */
export function createQueryClient(askWho: (client: QueryClient) => void): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ApiError && (error.status === 401 || error.status === 409)) askWho(client)
      },
    }),
    defaultOptions: {
      queries: {
        queryFn: createQueryFn(),
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // By default a request made offline waits in silence; here it fails at once and says so.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}

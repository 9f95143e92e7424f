import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError, apiRequest, ConnectionError, createQueryClient, messageOf, readJson } from './client.ts'
import { setPageUser } from './page-session.ts'

function serverAnswers(response: Response) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => response)
  vi.stubGlobal('fetch', fetch)
  return fetch
}

afterEach(() => {
  vi.unstubAllGlobals()
  setPageUser(null)
})

describe('a request', () => {
  it('carries the cookies and, with a payload, JSON', async () => {
    const fetch = serverAnswers(new Response('{}'))
    await apiRequest('POST', '/api/auth/logout', {})
    const [url, init] = fetch.mock.calls[0] ?? []
    expect(url).toBe('/api/auth/logout')
    expect(init).toMatchObject({
      method: 'POST',
      credentials: 'include',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
  })

  it('has neither body nor content type without a payload', async () => {
    const fetch = serverAnswers(new Response('{}'))
    await apiRequest('DELETE', '/api/templates/1')
    const init = fetch.mock.calls[0]?.[1]
    expect(init?.body).toBeUndefined()
    expect(init?.headers).toEqual({})
  })

  it('names whom the page is for, unless it asks who is there', async () => {
    setPageUser('u1')
    const fetch = serverAnswers(new Response('{}'))
    await apiRequest('DELETE', '/api/templates/1')
    await apiRequest('GET', '/api/templates')
    await apiRequest('GET', '/api/auth/session')
    const named = { 'x-page-user-id': 'u1' }
    expect(fetch.mock.calls.map(([, init]) => init.headers)).toEqual([named, named, {}])
  })

  it('that is refused becomes an error of status and body', async () => {
    serverAnswers(new Response('Please verify first', { status: 403, headers: { 'x-verify-user-id': 'u1' } }))
    const error = await apiRequest('POST', '/x', {}).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ message: '403: Please verify first', status: 403 })
    expect(error instanceof ApiError && error.headers.get('x-verify-user-id')).toBe('u1')
  })

  it('that is refused without a word shows the status text', async () => {
    serverAnswers(new Response('', { status: 503, statusText: 'Service Unavailable' }))
    await expect(apiRequest('GET', '/x')).rejects.toThrow('503: Service Unavailable')
  })

  it('that finds no server says so', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch')
    })
    await expect(apiRequest('GET', '/x')).rejects.toThrow(ConnectionError)
  })

  it('that gets no answer ends by itself', async () => {
    vi.stubGlobal('fetch', (_url: string, { signal }: RequestInit) => {
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    })
    const silent = apiRequest('GET', '/x', undefined, { timeoutMs: 5 })
    await expect(silent).rejects.toThrow('Postrider did not answer in time. Please try again.')
  })
})

describe('an answer', () => {
  const broken = (reason: unknown) =>
    new Response(new ReadableStream({ start: (controller) => controller.error(reason) }))

  it('that breaks off on its way is no answer, and is said to be none', async () => {
    serverAnswers(broken(new TypeError('network error')))
    const response = await apiRequest('GET', '/x')
    await expect(readJson(response)).rejects.toThrow('Check your connection and try again.')
    serverAnswers(broken(new TypeError('network error')))
    await expect(createQueryClient(() => {}).fetchQuery({ queryKey: ['/x'] })).rejects.toThrow(
      ConnectionError,
    )
  })

  it('whose rest does not come in time is said to be late', async () => {
    vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => {
      const end = (controller: ReadableStreamDefaultController) => () => controller.error(signal?.reason)
      return new Response(
        new ReadableStream({ start: (controller) => signal?.addEventListener('abort', end(controller)) }),
      )
    })
    const response = await apiRequest('GET', '/x', undefined, { timeoutMs: 5 })
    await expect(readJson(response)).rejects.toThrow('Postrider did not answer in time. Please try again.')
  })

  it('that nobody waits for any more stays a question taken back, and one that is no JSON what it is', async () => {
    const asking = new AbortController()
    serverAnswers(broken(new DOMException('over', 'AbortError')))
    const response = await apiRequest('GET', '/x', undefined, { signal: asking.signal })
    asking.abort()
    await expect(readJson(response)).rejects.toThrow('over')
    serverAnswers(new Response('<!doctype html>'))
    await expect(readJson(await apiRequest('GET', '/x'))).rejects.toThrow(SyntaxError)
  })
})

describe('what people are told', () => {
  it('is the server message, else the sentence of the screen', () => {
    expect(messageOf(new ApiError(401, 'No', new Headers()), 'Fallback')).toBe('401: No')
    expect(messageOf(new SyntaxError('Unexpected token <'), 'Fallback')).toBe('Fallback')
  })
})

describe('a read', () => {
  it('gets the path its key spells', async () => {
    const fetch = serverAnswers(new Response('[1]'))
    expect(await createQueryClient(() => {}).fetchQuery({ queryKey: ['/api/templates', 'abc'] })).toEqual([1])
    expect(fetch.mock.calls[0]?.[0]).toBe('/api/templates/abc')
  })

  it('that is refused because the session is over, or somebody else’s, asks who is there', async () => {
    const asked: number[] = []
    const client = createQueryClient(() => void asked.push(status))
    let status = 0
    for (status of [401, 409, 404, 503]) {
      serverAnswers(new Response('No', { status }))
      await client.fetchQuery({ queryKey: ['/api/stats'] }).catch(() => {})
    }
    expect(asked).toEqual([401, 409])
  })

  it('throws on 401 and is not tried again', async () => {
    const fetch = serverAnswers(new Response('Please sign in', { status: 401 }))
    await expect(createQueryClient(() => {}).fetchQuery({ queryKey: ['/api/stats'] })).rejects.toThrow(
      '401: Please sign in',
    )
    expect(fetch).toHaveBeenCalledTimes(1)
  })
})

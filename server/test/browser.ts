import type { Http } from '../platform/http/http.ts'

export type Answer = { status: number; text: string; headers: Record<string, string>; json: () => unknown }

export type Browser = {
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Any method and any raw body. */
  send(request: {
    method: string
    path: string
    payload?: string | Buffer
    headers?: Record<string, string>
  }): Promise<Answer>
  cookies: Map<string, string>
}

type Methods = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Does what a browser does on a page of ours: keeps cookies, names its origin, sends JSON. */
export function createBrowser(
  http: Http,
  publicUrl: URL,
  { headers: always = {} }: { headers?: Record<string, string> } = {},
): Browser {
  const cookies = new Map<string, string>()

  const send: Browser['send'] = async ({ method, path, payload, headers }) => {
    const response = await http.inject({
      method: method as Methods,
      url: path,
      headers: {
        ...(cookies.size > 0
          ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
          : {}),
        ...always,
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    for (const cookie of response.cookies) {
      if (cookie.maxAge === 0 || (cookie.expires && cookie.expires.getTime() <= 0))
        cookies.delete(cookie.name)
      else cookies.set(cookie.name, cookie.value)
    }
    return {
      status: response.statusCode,
      text: response.body,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      ),
      json: () => JSON.parse(response.body),
    }
  }

  return {
    cookies,
    send,
    get: (path, headers = {}) => send({ method: 'GET', path, headers }),
    post: (path, body, headers = {}) =>
      send({
        method: 'POST',
        path,
        payload: JSON.stringify(body),
        headers: { origin: publicUrl.origin, 'content-type': 'application/json', ...headers },
      }),
  }
}

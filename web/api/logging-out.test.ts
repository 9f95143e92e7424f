import { afterEach, describe, expect, it, vi } from 'vitest'
import { logOut } from './auth.ts'
import { createQueryClient, sessionKey } from './client.ts'
import { setLeaving } from './page-session.ts'
import { askWhoIsThere } from './session-watch.ts'

const SESSION = { user: { id: 'u1', email: 'ann@example.test' } }

/** A page of somebody who is signed in, and a server that answers log-outs so and refuses everything else. */
function aPage(logout: () => Response) {
  const asked: string[] = []
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return url === '/api/auth/logout' ? logout() : new Response('Nobody is signed in', { status: 401 })
  })
  const client = createQueryClient((asking) => void askWhoIsThere(asking))
  client.setQueryData(sessionKey, SESSION)
  const read = () => client.fetchQuery({ queryKey: ['/api/templates'] }).catch(() => {})
  return { asked, read, isSignedIn: () => client.getQueryData(sessionKey) !== null }
}

afterEach(() => {
  vi.unstubAllGlobals()
  setLeaving(false)
})

describe('logging out', () => {
  it('is told before the sign-in comes, although something that was read is refused', async () => {
    const page = aPage(() => new Response('{}'))
    await logOut()
    await page.read()
    expect(page.asked).toEqual(['/api/auth/logout', '/api/templates'])
    expect(page.isSignedIn()).toBe(true)
  })

  it('that fails leaves the page to hear of the end of its session', async () => {
    const page = aPage(() => new Response('The database cannot be reached', { status: 503 }))
    await expect(logOut()).rejects.toThrow('503')
    await page.read()
    expect(page.asked).toEqual(['/api/auth/logout', '/api/templates', '/api/auth/session'])
    await vi.waitFor(() => expect(page.isSignedIn()).toBe(false))
  })

  it('is over once the page is left: who comes back to it is asked anew', async () => {
    const page = aPage(() => new Response('{}'))
    await logOut()
    window.dispatchEvent(new Event('pagehide'))
    await page.read()
    await vi.waitFor(() => expect(page.isSignedIn()).toBe(false))
  })
})

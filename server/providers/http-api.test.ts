import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createHttpApi } from './http-api.ts'

it('a vendor that hangs up while the line is being encrypted has certainly taken nothing', async () => {
  // As a load balancer does, or a firewall on the way: at the first words of TLS.
  const balancer = createServer((socket) => socket.once('data', () => socket.end())).listen(0, '127.0.0.1')
  onTestFinished(() => void balancer.close())
  await once(balancer, 'listening')
  const { port } = balancer.address() as AddressInfo
  const baseUrl = new URL(`https://127.0.0.1:${port}`)
  const api = createHttpApi({ vendor: 'The vendor', baseUrl, headers: {}, secrets: [] })
  const failure = await api.ask('mail', { method: 'POST', body: '{}' }, AbortSignal.timeout(10_000)).then(
    () => null,
    (error: unknown) => error,
  )
  expect(api.failed(failure)).toEqual({
    kind: 'try-later',
    about: 'account',
    afterMs: null,
    reason: 'The vendor cannot be reached (ECONNRESET)',
  })
})

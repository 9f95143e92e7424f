import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { machineNow, millisecondsSince } from '../../test/machine-clock.ts'
import { createLog } from '../log.ts'
import { createHttp } from './http.ts'

async function aListener() {
  const http = await createHttp({ log: createLog('silent'), publicUrl: new URL('http://localhost') })
  const { promise: finished, resolve: finish } = Promise.withResolvers<string>()
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
  http.get('/slow', () => {
    enter()
    return finished
  })
  const url = await http.listen({ host: '127.0.0.1', port: 0 })
  return { http, url, entered, finish: () => finish('finished') }
}

it('is not held up by a connection on which nothing was ever sent', async () => {
  const { http, url } = await aListener()
  const silent = connect(Number(new URL(url).port), '127.0.0.1')
  await new Promise((resolve) => silent.once('connect', resolve))
  // The server has seen the connection once it has answered another one that came later.
  await fetch(`${url}/nothing`)
  const ended = new Promise((resolve) => silent.once('close', resolve))
  const start = machineNow()
  await http.close()
  await ended
  expect(millisecondsSince(start)).toBeLessThan(5_000)
})

it('lets a request that is under way finish, and takes no new one', async () => {
  const { http, url, entered, finish } = await aListener()
  const slow = fetch(`${url}/slow`)
  await entered
  const closing = http.close()
  finish()
  expect(await (await slow).text()).toBe('finished')
  await closing
  await expect(fetch(`${url}/slow`)).rejects.toThrow()
})

import { expect, it } from 'vitest'
import { anAccount, PASSWORD } from '../test/accounts.ts'
import { aRunningApp } from '../test/running-app.ts'
import { createLog } from './log.ts'

const logged = (write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown> => {
  const lines: string[] = []
  write(createLog('trace', { write: (text) => void lines.push(text) }))
  return JSON.parse(lines.join(''))
}

it('tells of an error what it is and why, and none of the values that libraries hang on it', () => {
  const error = Object.assign(new Error('the insert failed', { cause: new Error('the cause') }), {
    code: '23505',
    detail: 'Key (email)=(canary@x.test) already exists',
    parameters: ['canary'],
    config: { headers: { authorization: 'Bearer canary' } },
  })
  const line = logged((log) => log.error({ err: error }, 'failed'))
  expect(line['err']).toMatchObject({
    type: 'Error',
    message: expect.stringContaining('the insert failed'),
    code: '23505',
    cause: { message: 'the cause' },
  })
  expect(JSON.stringify(line)).not.toContain('canary')
})

it('holds no password, cookie, code or token at the most talkative level, whatever is called', async () => {
  await using running = await aRunningApp()
  const { browser, email } = await anAccount(running, { email: 'logged@x.test' })
  const code = await running.mails.code(email)
  await browser.get('/api/auth/session?canary=query')
  await browser.get('/api/auth/reset-password/canary-token')
  await browser.post('/api/auth/login', { email, password: 'canary-wrong' })
  await browser.send({
    method: 'POST',
    path: '/api/auth/login',
    payload: '{"canary":',
    headers: { 'content-type': 'application/json', origin: running.config.publicUrl.origin },
  })
  await running.settled()
  const text = running.logged()
  expect(text).toContain('/api/auth/reset-password/:token')
  for (const secret of ['canary', PASSWORD, code, email, ...browser.cookies.values()])
    expect(text).not.toContain(secret)
})

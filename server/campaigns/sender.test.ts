import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Template } from '../../contract/templates.ts'
import { anAddress, aUser, type SignedIn } from '../test/accounts.ts'
import { aSending, detail, finished, send } from '../test/campaigns.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { type SmtpSimulator, startSmtpSimulator, type TakenMail } from '../test/simulators/smtp.ts'

let relay: SmtpSimulator
let running: RunningApp
let ann: SignedIn
beforeAll(async () => {
  relay = await startSmtpSimulator()
  running = await aRunningApp({ SMTP_URL: relay.url.href, MAIL_FROM: 'mail@post.test' })
  ann = await aUser(running, { email: 'ann.smith@example.test' })
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await relay.close()
})

/** Sends one mail and gives what arrived. */
async function arrived(parts: Record<string, unknown>, to = anAddress('bob')): Promise<Map<string, string>> {
  const { id } = await send(ann.browser, { recipients: [to], ...parts })
  await finished(ann.browser, id)
  const mail = relay.ledger.at(-1)
  if (!mail) throw new Error('no mail arrived')
  return headersOf(mail)
}

function headersOf({ headers }: TakenMail): Map<string, string> {
  // Each once: a second one of a name would be somebody else's.
  expect(new Set(headers.map(([name]) => name.toLowerCase())).size).toBe(headers.length)
  return new Map(headers.map(([name, value]) => [name.toLowerCase(), value]))
}

const saveSettings = (fromName: string, fromEmail: string) =>
  ann.browser.post('/api/settings', { fromName, fromEmail })

describe('who sends', () => {
  it('is the account itself while nothing else is said, from the verified address', async () => {
    const headers = await arrived({})
    expect(headers.get('from')).toBe('"ann.smith" <mail@post.test>')
    expect(headers.get('reply-to')).toBe('ann.smith@example.test')
  })

  it('is what the settings say', async () => {
    await saveSettings('Ann of the Shop', 'shop@example.test')
    const headers = await arrived({})
    expect(headers.get('from')).toBe('Ann of the Shop <mail@post.test>')
    expect(headers.get('reply-to')).toBe('shop@example.test')
  })

  it('is what the letter says, before the settings', async () => {
    await saveSettings('Ann of the Shop', 'shop@example.test')
    const headers = await arrived({ senderName: 'Support', replyTo: 'help@example.test' })
    expect(headers.get('from')).toBe('Support <mail@post.test>')
    expect(headers.get('reply-to')).toBe('help@example.test')
    // A field that was left blank is not said.
    const blank = await arrived({ senderName: '  ', replyTo: '' })
    expect(blank.get('from')).toBe('Ann of the Shop <mail@post.test>')
    expect(blank.get('reply-to')).toBe('shop@example.test')
  })

  it('stays as it was in the history when the settings change', async () => {
    await saveSettings('Before', 'before@example.test')
    const { id } = await send(ann.browser, {})
    await saveSettings('After', 'after@example.test')
    const entry = await detail(ann.browser, id)
    expect(entry).toMatchObject({ senderName: 'Before', replyTo: 'before@example.test' })
    await finished(ann.browser, id)
  })
})

describe('to whom', () => {
  it('keeps the name that was typed with the address', async () => {
    const to = anAddress('bob')
    expect((await arrived({}, `Bob Brown <${to}>`)).get('to')).toBe(`Bob Brown <${to}>`)
    expect((await arrived({}, `"Brown, Bob" <${to}>`)).get('to')).toBe(`"Brown, Bob" <${to}>`)
    expect((await arrived({}, to)).get('to')).toBe(to)
    expect(relay.ledger.slice(-3).map((mail) => mail.to)).toEqual([[to], [to], [to]])
  })

  it('reads encoded words of a subject or name as the text they are, never as a header', async () => {
    const word = '=?utf-8?Q?Hi=0D=0ABcc:_eve@evil.test?='
    const headers = await arrived({ subject: word, senderName: word })
    expect([...headers.keys()]).not.toContain('bcc')
    expect(headers.get('subject')).not.toContain('=0D=0A')
    expect(relay.ledger.at(-1)?.to).not.toContain('eve@evil.test')
  })
})

describe('a template', () => {
  async function aTemplate(user = ann): Promise<Template> {
    const parts = { name: 'Welcome', subject: 'Hello', body: 'Welcome!' }
    return (await user.browser.post('/api/templates', parts)).json() as Template
  }
  const uses = async (id: string): Promise<Template> =>
    (await ann.browser.get(`/api/templates/${id}`)).json() as Template

  it('counts one use with each campaign that was made from it', async () => {
    const { id } = await aTemplate()
    expect(await uses(id)).toMatchObject({ usageCount: 0, lastUsed: null })
    await send(ann.browser, { templateId: id })
    await send(ann.browser, { templateId: id })
    const used = await uses(id)
    expect(used.usageCount).toBe(2)
    expect(Date.now() - Date.parse(used.lastUsed ?? '')).toBeLessThan(60_000)
  })

  it('counts nothing for a campaign that was refused, or repeated under its key', async () => {
    const { id } = await aTemplate()
    const refused = await ann.browser.post(
      '/api/send-email',
      aSending({ recipients: ['bad'], templateId: id }),
    )
    expect(refused.status).toBe(400)
    expect((await uses(id)).usageCount).toBe(0)
    for (let time = 0; time < 3; time++)
      await send(ann.browser, { templateId: id }, { 'idempotency-key': `template-${id}` })
    expect((await uses(id)).usageCount).toBe(1)
  })

  it('that is gone, foreign or nonsense is no reason not to send, and counts for nobody', async () => {
    const eve = await aUser(running)
    const foreign = await aTemplate(eve)
    for (const templateId of [foreign.id, '00000000-0000-4000-8000-000000000000', 'nonsense'])
      expect((await send(ann.browser, { templateId })).recipients).toBe(1)
    const theirs = await eve.browser.get(`/api/templates/${foreign.id}`)
    expect(theirs.json()).toMatchObject({ usageCount: 0, lastUsed: null })
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readBounce } from './read-bounce.ts'
import { ORDINARY, SAMPLES } from './samples/expected.ts'

const sample = (file: string): Buffer => readFileSync(join(import.meta.dirname, 'samples', `${file}.eml`))

describe('reading a bounce', () => {
  it.each(SAMPLES)(
    'reads %s (%s, %s) as %s',
    async (file, _system, _language, kind, recipient, status, cause) => {
      const reading = await readBounce(sample(file))
      expect({ ...reading, original: null, recipients: null }).toMatchObject({
        kind,
        recipient,
        status,
        cause,
      })
    },
  )

  it('is proven on at least 60 formats of 25 mail systems in 10 languages', () => {
    expect(SAMPLES.length).toBeGreaterThanOrEqual(60)
    expect(new Set(SAMPLES.map(([, system]) => system)).size).toBeGreaterThanOrEqual(25)
    expect(new Set(SAMPLES.map(([, , language]) => language)).size).toBeGreaterThanOrEqual(10)
  })

  it.each(ORDINARY)('sees no bounce in $file', async ({ file, isAutoReply }) => {
    expect(await readBounce(sample(file))).toMatchObject({ kind: 'none', recipient: null, isAutoReply })
  })

  it('gives a reason in words for everything it reports, the server’s own words behind ours', async () => {
    const { reason, diagnostic } = await readBounce(sample('postfix-user-unknown'))
    expect(reason).toBe(`The mailbox does not exist: ${diagnostic}`)
    for (const [file, , , kind] of SAMPLES) {
      const reading = await readBounce(sample(file))
      if (kind === 'none') expect(reading.reason).toBeNull()
      else expect(reading.reason, file).toMatch(/^(?:The|Delivery)/)
    }
  })

  it('tells of every recipient of a report, each with its own fate', async () => {
    const { recipients } = await readBounce(sample('postfix-three-recipients'))
    expect(recipients).toMatchObject([
      { address: 'bob@example.com', kind: 'none', action: 'relayed', cause: null },
      { address: 'carol@example.com', kind: 'soft', action: 'delayed', cause: 'full', status: '4.2.2' },
      { address: 'dave@example.com', kind: 'hard', action: 'failed', cause: 'no-such-mailbox' },
    ])
    expect((await readBounce(sample('exim-two-recipients'))).recipients).toMatchObject([
      { address: 'bob@example.com', kind: 'soft', cause: 'full' },
      { address: 'carol@example.com', kind: 'hard', cause: 'no-such-mailbox' },
    ])
  })

  it('judges each of fifty recipients by what was said of that one', async () => {
    const told = Array.from({ length: 50 }, (_, n) => ({
      address: `user${n}@example.com`,
      said:
        n % 2 === 0 ? 'Sorry, no such user is known to this server' : 'The quota of this mailbox is used up',
    }))
    const report = `Return-Path: <>
From: MAILER-DAEMON@mx.example.com
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b

${told.map(({ address, said }) => `<${address}>: host mx.example.com[192.0.2.1] said:\n    550 ${said}\n    (in reply to RCPT TO command)\n`).join('\n')}
--b
Content-Type: message/delivery-status

${told.map(({ address, said }) => `Final-Recipient: rfc822; ${address}\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 ${said}\n`).join('\n')}
--b--
`
    const causes = told.map((_, n) => (n % 2 === 0 ? 'no-such-mailbox' : 'full'))
    for (const raw of [report, report.slice(0, report.indexOf('--b\nContent-Type:'))]) {
      const { recipients } = await readBounce(Buffer.from(raw))
      expect(recipients.map(({ cause }) => cause)).toEqual(causes)
    }
  })

  it('blames no mailbox for what the server refused before it heard of one, whatever sender it had heard', async () => {
    const told = sample('exim-two-recipients').toString()
    for (const sender of ['bounces+k7@news.example.test', 'srs0=x=y@forward.example.com']) {
      const early = told.replace(/RCPT TO:<[a-z]+@example\.com>/g, `MAIL FROM:<${sender}>`)
      const { recipients } = await readBounce(
        Buffer.from(early.replace(/carol@example\.com: no such user/, 'no such user')),
      )
      expect(recipients.map(({ cause }) => cause)).toEqual(['policy', 'policy'])
    }
    const postfix = sample('postfix-user-unknown').toString().replace('RCPT TO', 'MAIL FROM')
    expect(await readBounce(Buffer.from(postfix))).toMatchObject({ kind: 'soft', cause: 'policy' })
  })

  it('names the address that failed, and beside it the one that was written to', async () => {
    for (const file of ['postfix-forwarded', 'messaging-server']) {
      const { recipients } = await readBounce(sample(file))
      expect(recipients[0]?.originalAddress, file).toMatch(
        /^(?:ann\.lee@example\.com|staff@lists\.example\.com)$/,
      )
    }
  })

  it('finds the mail that it is about, in the returned part or in the text', async () => {
    for (const file of [
      'postfix-user-unknown',
      'exim-unrouteable',
      'qmail',
      'messaging-server',
      'arf-abuse',
      'courier',
    ])
      expect((await readBounce(sample(file))).original.messageId, file).toBe(
        '<20260801.42@news.example.test>',
      )
    const { original } = await readBounce(sample('qmail'))
    expect(original.headers).toContainEqual({ name: 'to', value: 'ann.lee@example.com' })
  })

  it('tells a late mail from a lost one', async () => {
    for (const file of ['postfix-delayed', 'exim-warning'])
      expect(await readBounce(sample(file))).toMatchObject({ kind: 'soft', action: 'delayed' })
  })

  it('says what a feedback report is, also when it is no complaint', async () => {
    expect(await readBounce(sample('arf-not-spam'))).toMatchObject({ kind: 'none', feedbackType: 'not-spam' })
    expect(await readBounce(sample('arf-fraud'))).toMatchObject({ kind: 'complaint', feedbackType: 'fraud' })
  })
})

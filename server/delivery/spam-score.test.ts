import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { codeMail, knownAddressMail, passwordChangedMail, resetMail } from '../auth/mails.ts'
import type { Transaction } from '../platform/database.ts'
import { keepDkimKey } from '../platform/dkim-key.ts'
import type { Finish } from '../platform/jobs.ts'
import { createLog } from '../platform/log.ts'
import { createSecrets, randomToken } from '../platform/secrets.ts'
import { createProductMail, type ProductMail } from '../product-mail/service.ts'
import { createProductProvider } from '../providers/index.ts'
import { aUser } from '../test/accounts.ts'
import { finished, send } from '../test/campaigns.ts'
import { aRunningApp } from '../test/running-app.ts'
import { startSmtpSimulator } from '../test/simulators/smtp.ts'
import { isSpamassassinThere, spamScores } from '../test/spam-score.ts'
import { pauseMail } from './pause-mail.ts'

/** The bar of most filters is 5; whoever writes an ordinary mail shall have all of that left for what they say. */
const SCORE_MAX = 1

const PUBLIC_URL = 'https://mail.example.com'
const TEXTS: Record<string, string> = {
  Latin:
    'Dear Ms Meyer,\n\nthe minutes of our meeting on Tuesday are ready: https://www.example.com/minutes\n\nThe next one is on 3 March at 18:00, in the library. Please tell us by Friday whether you can come.\n\nKind regards\nAnn Lee',
  German:
    'Liebe Mitglieder,\n\ndie Führung durch die Gärten beginnt am Samstag um 10 Uhr am großen Tor. Bitte bringt feste Schuhe mit.\n\nHerzliche Grüße\nJörg Müller',
  Chinese:
    '各位朋友：\n\n本周六上午十点，我们在植物园大门口集合，一起参观新的温室。请穿舒适的鞋子，并带上水。\n\n此致\n敬礼\n李安',
  Arabic:
    'الأعضاء الكرام،\n\nتبدأ الجولة في الحديقة يوم السبت الساعة العاشرة صباحا عند البوابة الكبيرة. نرجو إحضار الماء.\n\nمع أطيب التحيات\nآن',
  emoji:
    'Hello everybody 👋\n\nthe garden opens on Monday 🌷🌼 and there is cake 🍰\n\nSee you there 👩‍🌾\nAnn',
  'one line': 'The meeting is at six.',
}

describe.runIf(process.env['SPAM'] === '1' && isSpamassassinThere())('a spam filter lets pass', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-spam-'))
  const relay = await startSmtpSimulator()
  afterAll(async () => {
    await relay.close()
    await rm(folder, { recursive: true })
  })
  const dkim = { selector: 'postrider', domain: 'mail.example.com', keyFile: join(folder, 'dkim.pem') }
  await keepDkimKey(dkim.keyFile)

  /** The mails that reach the relay meanwhile, each under its name. */
  async function judged(names: string[], sending: () => Promise<void>): Promise<Record<string, string>> {
    const before = relay.ledger.length
    await sending()
    const mails = relay.ledger.slice(before).map(({ raw }) => raw)
    expect(mails).toHaveLength(names.length)
    const scores = await spamScores(mails)
    expect(scores).toHaveLength(names.length)
    return Object.fromEntries(scores.map(({ score, rules }, n) => [names[n], `${score} ${rules}`]))
  }

  function expectBelowTheBar(scores: Record<string, string>): void {
    process.stdout.write(`${JSON.stringify(scores, null, 2)}\n`)
    for (const [name, score] of Object.entries(scores))
      expect(Number.parseFloat(score), `${name}: ${score}`).toBeLessThan(SCORE_MAX)
  }

  it('every mail of the product', async () => {
    const provider = await createProductProvider({ kind: 'smtp', url: relay.url }, { deposit: null, dkim })
    // The queue is left out: a mail leaves in the moment in which it would be queued.
    let deliver: (data: never, signal: AbortSignal, finish: Finish) => Promise<unknown> = async () => {}
    const productMail = createProductMail({
      jobs: {
        enqueue: async (_tx, _kind, data) =>
          void (await deliver(data as never, new AbortController().signal, async () => {})),
        async work(_kind, work) {
          deliver = work as typeof deliver
        },
      },
      secrets: createSecrets('a key for tests that is long enough to be accepted'),
      provider,
      mailFrom: 'post@mail.example.com',
      log: createLog('silent'),
    })
    await productMail.work()
    const url = new URL(PUBLIC_URL)
    const to = 'bob@example.net'
    const mails: Record<string, ProductMail> = {
      code: codeMail(to, { registrationId: crypto.randomUUID(), code: '314159' }, url),
      'known address': knownAddressMail(to, url),
      reset: resetMail(to, randomToken(), url),
      'password changed': passwordChangedMail({ email: to, wasUnlinked: true }, url),
      pause: pauseMail(to, 'Of the last 1,000 emails 12 were reported as spam', url),
    }
    const scores = await judged(Object.keys(mails), async () => {
      for (const mail of Object.values(mails)) await productMail.send({} as Transaction, mail)
    })
    await provider.close()
    expectBelowTheBar(scores)
  })

  it('a campaign’s mail to one person and to many, in every script', async () => {
    await using running = await aRunningApp({
      SMTP_URL: relay.url.href,
      PUBLIC_URL,
      MAIL_FROM: 'post@mail.example.com',
      INBOUND_SMTP_PORT: '2525',
      DKIM_SELECTOR: dkim.selector,
      DKIM_KEY_FILE: dkim.keyFile,
    })
    const ann = await aUser(running)
    await ann.browser.post('/api/settings', {
      provider: 'resend',
      fromName: 'Ann Lee',
      fromEmail: 'ann@example.org',
    })
    const names = Object.keys(TEXTS).flatMap((name) => [`${name}, one`, `${name}, many`, `${name}, many`])
    const scores = await judged(names, async () => {
      for (const [name, body] of Object.entries(TEXTS))
        for (const recipients of [['bob@example.net'], ['bob@example.net', 'eve@example.net']]) {
          const subject = body.split('\n')[0]?.replace(/[,：，]$/, '') ?? name
          const { id } = await send(ann.browser, { recipients, subject, body })
          await finished(ann.browser, id)
        }
    })
    expectBelowTheBar(scores)
  })
})

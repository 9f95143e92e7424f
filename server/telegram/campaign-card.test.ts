import { describe, expect, it } from 'vitest'
import type { DeliveryCounts } from '../../contract/campaigns.ts'
import { parseHtml } from '../test/simulators/telegram-format.ts'
import { BAR_BLOCKS } from './campaign-bar.ts'
import { barOf, campaignCard, countsOf, type ShownCampaign } from './campaign-card.ts'
import { cancelQuestion, failuresMessage, resendQuestion, unconfirmedMessage } from './campaign-questions.ts'
import { type Button, lengthOf, MESSAGE_MAX, type Message } from './markup.ts'

const NOBODY: DeliveryCounts = {
  queued: 0,
  inFlight: 0,
  accepted: 0,
  failed: 0,
  unknown: 0,
  suppressed: 0,
  cancelled: 0,
}
const VIEWER = {
  timeZone: 'Europe/Vienna',
  publicUrl: new URL('https://mail.example.test'),
}

const aCampaign = (parts: Partial<ShownCampaign> = {}): ShownCampaign => ({
  id: '0190f3c4-1111-7222-8333-944455556666',
  subject: 'News',
  recipients: [],
  recipientCount: 1,
  body: '',
  senderName: '',
  replyTo: '',
  sentDate: new Date('2026-11-15T23:30:00Z'),
  status: 'pending',
  state: 'sending',
  pausedReason: null,
  resumesItself: false,
  successfulCount: 0,
  unconfirmedCount: 0,
  deliveredCount: 0,
  isDeliveryPresumed: false,
  isRestored: false,
  bouncedCount: 0,
  complainedCount: 0,
  openedCount: 0,
  machineOpenedCount: 0,
  unsubscribedCount: 0,
  counts: { ...NOBODY, queued: 1 },
  fromAddress: 'a@example.test',
  replies: { all: 0, automatic: 0 },
  round: 1,
  ...parts,
})

const BLOCKS: Readonly<Record<string, keyof DeliveryCounts>> = {
  '🟩': 'accepted',
  '🟥': 'failed',
  '⬜': 'unknown',
  '🟦': 'queued',
  '⬛': 'cancelled',
  '🔲': 'suppressed',
}
const blocksIn = (bar: string) => Map.groupBy([...bar], (block) => BLOCKS[block] ?? 'inFlight')
const labels = ({ buttons = [] }: Message): string[] => buttons.flat().map(({ text }) => text)

describe('the bar', () => {
  it('has always as many blocks, one at least for whatever there is, and none for what there is not', () => {
    const lists: Partial<DeliveryCounts>[] = [
      { accepted: 1 },
      { accepted: 999_999, failed: 1 },
      { failed: 1, queued: 1_000_000 },
      { accepted: 999_995, failed: 1, unknown: 1, queued: 1, cancelled: 1, suppressed: 1 },
      { accepted: 500, queued: 250, failed: 250 },
      { accepted: 7, failed: 5 },
    ]
    for (const list of lists) {
      const counts = { ...NOBODY, ...list }
      const blocks = blocksIn(barOf(counts))
      expect([...barOf(counts)]).toHaveLength(BAR_BLOCKS)
      expect([...blocks.keys()].sort()).toEqual(Object.keys(list).sort())
    }
    const even = blocksIn(barOf({ ...NOBODY, accepted: 500, queued: 250, failed: 250 }))
    expect(
      [even.get('accepted'), even.get('queued'), even.get('failed')].map((part) => part?.length),
    ).toEqual([6, 3, 3])
  })

  it('stands above counts that together are all recipients', () => {
    const counts = {
      queued: 2_000,
      inFlight: 34,
      accepted: 1_204,
      failed: 3,
      unknown: 1,
      suppressed: 5,
      cancelled: 7,
    }
    const { text } = parseHtml(
      countsOf({ counts })
        .map(({ html }) => html)
        .join('\n'),
    )
    expect(text.split('\n')).toEqual([
      '🟩 1,204 accepted',
      '🟥 3 failed',
      '⬜ 1 unconfirmed',
      '🟦 2,034 waiting',
      '⬛ 7 cancelled',
      '🔲 5 left out',
    ])
    const numbers = [...text.matchAll(/[\d,]+/g)].map(([digits]) => Number(digits.replaceAll(',', '')))
    expect(numbers.reduce((sum, number) => sum + number, 0)).toBe(3_254)
  })
})

describe('a card', () => {
  const SENDING = ['⏸ Pause', '✖️ Cancel']
  const REST = ['🔄 Refresh', 'Open']
  it.each([
    ['sending', { state: 'sending' }, [...SENDING, ...REST], '🟦 Sending'],
    ['paused by a person', { state: 'paused' }, ['▶️ Resume', '✖️ Cancel', ...REST], 'until it is resumed'],
    [
      'stopped by an outage',
      { state: 'paused', pausedReason: 'The provider is out of order.', resumesItself: true },
      [...SENDING, ...REST],
      'The provider is out of order. It goes on by itself',
    ],
    [
      'stopped to protect others',
      { state: 'paused', pausedReason: 'Too many bounces' },
      ['▶️ Resume', '✖️ Cancel', ...REST],
      'Too many bounces. It does not go on by itself',
    ],
    ['being cancelled', { state: 'cancelled' }, REST, '⬛ Being cancelled'],
    [
      'finished with failures and doubts',
      { state: 'done', status: 'sent', counts: { ...NOBODY, accepted: 1, failed: 1_200, unknown: 2 } },
      ['🔁 Retry failed (1,200)', 'Failures', '⬜ Unconfirmed (2)', ...REST],
      '🟩 Finished',
    ],
    [
      'finished in vain',
      { state: 'done', status: 'failed', counts: { ...NOBODY, failed: 1 } },
      ['🔁 Retry failed (1)', 'Failures', ...REST],
      '🟥 Finished',
    ],
  ] as const)('that is %s says so, and offers what can be done', (_name, parts, buttons, words) => {
    const card = campaignCard(aCampaign(parts), VIEWER)
    expect(labels(card)).toEqual(buttons)
    expect(parseHtml(card.text.html).text).toContain(words)
    // Half past midnight on the clock of whoever reads it.
    expect(card.text.html).toContain('11/16/2026, 12:30 AM')
  })

  it('says what delivered means where nobody reports it', () => {
    const ended = { state: 'done', successfulCount: 4, deliveredCount: 3, bouncedCount: 1 } as const
    const words = (isDeliveryPresumed: boolean) =>
      parseHtml(campaignCard(aCampaign({ ...ended, isDeliveryPresumed }), VIEWER).text.html).text
    expect(words(false)).toMatch(/Of the accepted: 🟩 3 delivered \(75%\) · 🟧 1 bounced$/)
    expect(words(true)).toMatch(/1 bounced\nBy plain SMTP, delivered means accepted and not come back\.$/)
  })

  it('says in a restored copy what the copy cannot know, and so do its failures, its unconfirmed and the question to cancel it', () => {
    const counts = { ...aCampaign().counts, failed: 2, unknown: 1 }
    const wordsOf = (isRestored: boolean) => {
      const campaign = aCampaign({ state: 'done', counts, isRestored })
      const messages = [
        campaignCard(campaign, VIEWER),
        failuresMessage(campaign, { reasons: [{ reason: '550 no', count: 2 }], read: 2 }),
        unconfirmedMessage(campaign),
        cancelQuestion(campaign),
      ]
      return messages.map(({ text }) => parseHtml(text.html).text.includes('copy of the database'))
    }
    expect(wordsOf(true)).toEqual([true, true, true, true])
    expect(wordsOf(false)).toEqual([false, false, false, false])
  })

  it('asks about cancelling also where nobody waits, and counts nobody then', () => {
    const text = (counts: Partial<DeliveryCounts>) =>
      parseHtml(cancelQuestion(aCampaign({ counts: { ...NOBODY, ...counts } })).text.html).text
    expect(text({ inFlight: 3 })).toContain('Every email is on its way already.')
    expect(text({ inFlight: 3 })).toContain(
      '3 emails are with the mail provider already, or on the way there',
    )
    expect(text({ inFlight: 3 })).not.toContain('0 ')
    expect(text({ queued: 1 })).toContain('1 recipient who is still waiting will not get this email.')
  })

  it('offers no address that Telegram would refuse', () => {
    for (const address of ['http://localhost:3000', 'https://postrider', 'https://[::1]']) {
      const card = campaignCard(aCampaign(), { ...VIEWER, publicUrl: new URL(address) })
      expect(labels(card)).not.toContain('Open')
    }
  })
})

describe('whatever a subject, a reason or an address holds', () => {
  const HOSTILE = [
    '<b>bold</b> &amp; & "x" </pre>',
    `a\u202eb\u0000\n\nc${'👩‍👩‍👧‍👦'.repeat(100)}`,
    'x'.repeat(998),
  ]

  it.each(HOSTILE)('it is shown as text, and the message fits: %j', (subject) => {
    const counts = { ...NOBODY, accepted: 1, failed: 50_000, unknown: 40, queued: 1 }
    const campaign = aCampaign({
      subject,
      counts,
      state: 'paused',
      pausedReason: `${subject} `.repeat(200),
      round: 999_999_999,
    })
    const reasons = Array.from({ length: 30 }, (_, index) => ({ reason: `${index} ${subject}`, count: 1 }))
    const messages = [
      campaignCard(campaign, VIEWER),
      cancelQuestion(campaign),
      failuresMessage(campaign, { reasons, read: 30 }),
      unconfirmedMessage(campaign),
      resendQuestion(campaign, Array<string>(10).fill(subject)),
    ]
    for (const { text, buttons = [] } of messages) {
      expect(parseHtml(text.html).text).not.toMatch(/[\u202e\0]/)
      expect(lengthOf(text)).toBeLessThan(MESSAGE_MAX)
      const presses = buttons.flat().flatMap((button: Button) => ('press' in button ? [button.press] : []))
      for (const press of presses) expect(Buffer.byteLength(press)).toBeLessThanOrEqual(64)
    }
    expect(parseHtml(messages[0]?.text.html ?? '').text).toContain(subject.slice(0, 1))
  })

  it('says how many reasons are left, and that not all failures were read', () => {
    const reasons = [
      { reason: null, count: 20 },
      ...Array.from({ length: 11 }, (_, index) => ({ reason: `${550 + index} no`, count: 2 })),
    ]
    const campaign = aCampaign({ counts: { ...NOBODY, failed: 100 }, state: 'done' })
    const { text } = parseHtml(failuresMessage(campaign, { reasons, read: 42 }).text.html)
    expect(text).toContain('20 × The provider refused it and gave no reason')
    expect(text).toContain('and 4 more for 2 other reasons')
    expect(text).toContain('the first 42 of them')
  })
})

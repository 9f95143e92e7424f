import { describe, expect, it } from 'vitest'
import { passedOn } from './passed-on.ts'
import { readBounce } from './read-bounce.ts'

type Block = { final: string; original?: string; action?: string; status?: string }

const report = (...blocks: Block[]) =>
  readBounce(
    Buffer.from(`Return-Path: <>
From: MAILER-DAEMON@mx.example.test
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.test

${blocks
  .map(
    ({ final, original, action = 'failed', status = action === 'failed' ? '5.1.1' : '2.0.0' }) =>
      `Final-Recipient: rfc822; ${final}\n${original ? `Original-Recipient: rfc822;${original}\n` : ''}Action: ${action}\nStatus: ${status}\n`,
  )
  .join('\n')}
--b--
`),
  )

const TEAM = 'team@company.test'
const LEFT = { final: 'left@company.test', original: TEAM }

describe('a report about a mail to an address that passes mail on', () => {
  it.each<[string, Block[]]>([
    ['delivered', [LEFT, { final: 'stays@company.test', action: 'delivered' }]],
    ['relayed', [LEFT, { final: 'stays@company.test', original: TEAM, action: 'relayed' }]],
    ['expanded', [{ final: TEAM, action: 'expanded' }, { final: 'left@company.test' }]],
  ])('says nothing against the address where others got the mail: %s', async (_name, blocks) => {
    for (const writtenTo of [TEAM, null])
      expect(passedOn(await report(...blocks), writtenTo)).toEqual({
        isElsewhere: true,
        reason:
          'It went on to others behind this address, but did not reach left@company.test: The mailbox does not exist',
      })
  })

  it.each<[string, Block[]]>([
    ['one is behind it', [LEFT]],
    ['several are', [{ final: 'left@company.test' }, { final: 'gone@company.test' }]],
    ['its original is yet another', [{ ...LEFT, original: 'all@company.test' }]],
  ])('says who was not reached behind it: %s', async (_name, blocks) => {
    for (const writtenTo of [TEAM, null])
      expect(passedOn(await report(...blocks), writtenTo)).toEqual({
        isElsewhere: false,
        reason: 'It was passed on to left@company.test and did not get there: The mailbox does not exist',
      })
  })
})

it.each<[string, Block[], string | null]>([
  ['names nobody else', [{ final: 'left@company.test' }], TEAM],
  ['has no original', [{ final: TEAM }], TEAM],
  ['has the same original', [{ final: TEAM, original: 'Team@Company.TEST' }], null],
  ['has it with its tag', [{ final: TEAM, original: 'team+news@company.test' }], null],
  ['has it in an encoded domain', [{ final: 'ann@xn--exmple-cua.com', original: 'ann@exämple.com' }], null],
  [
    'has it as forwarders write it',
    [{ final: 'SRS0=ab=cd=company.test=team@fwd.test', original: TEAM }],
    null,
  ],
  ['is about the address that was written to', [{ final: TEAM, original: 'other@company.test' }], TEAM],
  ['is about it, in another case', [{ final: 'TEAM@company.test', original: 'x@company.test' }], TEAM],
  ['is about it and somebody else', [{ final: 'left@company.test' }, { final: TEAM }], TEAM],
  ['tells of the same twice', [{ final: TEAM }, { final: 'TEAM@company.test' }], null],
])('a report is held against the address where it %s', async (_name, blocks, writtenTo) => {
  const reading = await report(...blocks)
  expect(reading.kind).toBe('hard')
  expect(passedOn(reading, writtenTo)).toBeNull()
})

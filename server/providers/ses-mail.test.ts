import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { computingTime } from '../test/computing.ts'
import { aCopy, aLetter, UNSTOPPED } from '../test/simulators/a-mail.ts'
import { type SesSimulator, startSesSimulator } from '../test/simulators/ses.ts'
import type { Letter } from './provider.ts'
import { createSes } from './ses.ts'

describe('Amazon SES delivers what looks like a template as it was typed:', () => {
  let ses: SesSimulator
  beforeEach(async () => {
    ses = await startSesSimulator()
  })
  afterEach(() => ses.close())
  const send = (letter: Letter) => createSes({ ...ses, baseUrl: ses.url }).send(letter, [aCopy()], UNSTOPPED)

  it.each([
    '{{name}}',
    '{{{name}}}',
    '{{{{raw}}}}',
    '{{',
    '}}',
    '{{}}',
    '{ {x} }',
    '\\{{x}}',
    '\\\\{{x}}',
    '{\\{{x}}\\}',
    '{\\{x',
    'a\\',
    '{',
    '{{#each a}}{{this}}{{/each}}',
    '{{!-- no --}}',
    '{{~x~}}',
    '{{open}}{{close}}{{slash}}',
    '@media{a{b:c}}',
    '{{constructor.constructor("return 1")()}}',
    '<%= 7*7 %> #{7*7}',
  ])('%s', async (text) => {
    const letter = aLetter({ subject: `s ${text}`, text, html: `<style>${text}</style><p>${text}` })
    await send(letter)
    const { subject, html, text: arrived } = ses.ledger[0]?.mail ?? {}
    expect({ subject, html, text: arrived }).toEqual({
      subject: letter.subject,
      html: letter.html,
      text: letter.text,
    })
    expect(ses.ledger[0]?.fate).toBe('delivered')
  })

  it('a book of braces', async () => {
    const text = `${'{'.repeat(50_000)}\\${'}'.repeat(50_000)}`
    expect(await computingTime(() => send(aLetter({ text, html: text })))).toBeLessThan(5_000)
    expect(ses.ledger[0]?.mail.text === text && ses.ledger[0].mail.html === text).toBe(true)
  })
})

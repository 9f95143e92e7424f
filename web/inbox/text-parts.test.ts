import { describe, expect, it } from 'vitest'
import { blocksOf, ownWords } from './text-parts.ts'

const kinds = (text: string) =>
  blocksOf(text).map(({ kind, isFolded }) => (isFolded ? `${kind}, folded` : kind))

describe('a plain text', () => {
  it('is one piece when nothing is quoted', () => {
    expect(blocksOf('Hello,\n\nsee you.\n')).toEqual([
      { kind: 'own', text: 'Hello,\n\nsee you.', isFolded: false },
    ])
    expect(blocksOf(' \n\n')).toEqual([])
  })

  it('folds the letter that it answers, with the line that announces it', () => {
    const [own, quoted] = blocksOf(
      'Yes!\n\nOn Tue, Nov 3, Ann <ann@example.test> wrote:\n> Are you coming?\n',
    )
    expect(own).toEqual({ kind: 'own', text: 'Yes!', isFolded: false })
    expect(quoted).toEqual({
      kind: 'quoted',
      text: 'On Tue, Nov 3, Ann <ann@example.test> wrote:\n> Are you coming?',
      isFolded: true,
    })
  })

  it('takes an announcement that was broken in two along', () => {
    const [own, quoted] = blocksOf('Yes!\n\nOn Tue, Nov 3, 2026 at 9:30 AM\nAnn wrote:\n> Are you coming?')
    expect(own?.text).toBe('Yes!')
    expect(quoted?.text.startsWith('On Tue')).toBe(true)
  })

  it('leaves short quotations between answers in sight, and folds long ones', () => {
    const text = '> At eight?\nYes.\n> a\n> b\n> c\n> d\nNo.\n> the rest'
    expect(kinds(text)).toEqual(['quoted', 'own', 'quoted, folded', 'own', 'quoted, folded'])
  })

  it('folds what Outlook puts below, which no line marks', () => {
    const text = 'Fine.\n\n________________________________\nFrom: Ann\nSent: Tuesday\n\nAre you coming?'
    expect(kinds(text)).toEqual(['own', 'quoted, folded'])
    expect(kinds('Fine.\n-----Original Message-----\nFrom: Ann\n\nComing?')).toEqual([
      'own',
      'quoted, folded',
    ])
    expect(kinds('Fine.\n  --- Ann - to Bob ----- \nFrom: Ann\n\nComing?')).toEqual(['own', 'quoted, folded'])
    expect(kinds('Fine.\n----------\nFrom: Ann\n\nComing?')).toEqual(['own', 'quoted, folded'])
    expect(kinds('Above\n--------------\nbelow')).toEqual(['own'])
  })
})

it('own words are those that nobody wrote before', () => {
  expect(ownWords('Wonderful!\n\nOn Sunday Bob <bob@example.test> wrote:\n> Yes!\n>> Will you come?\n')).toBe(
    'Wonderful!',
  )
})

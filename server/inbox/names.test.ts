import { describe, expect, it } from 'vitest'
import { isKept, isName, namesFor } from './names.ts'

const first = (email: string, senderName = ''): string[] => {
  const names = [...namesFor({ email, senderName }, () => 0)]
  return [...new Set(names)].filter((name) => isName(name) && !isKept(name, 'news@corp.test')).slice(0, 3)
}

describe('the name of an inbox', () => {
  it.each([
    ['ann@example.test', ['ann', 'ann-example', 'ann-2']],
    ['Ann.Lee+news@example.test', ['ann.lee', 'ann.lee-example', 'ann.lee-2']],
    ['jürgen_groß@example.test', ['jurgen-gross', 'jurgen-gross-ex', 'jurgen-gross-2']],
    ['somebody.with.a.very.long.name@x.test', ['somebody.with.a', 'somebody.with-2', 'somebody.with-3']],
    // Too short, or meant for whoever runs the domain: the domain of the address tells more.
    ['a@firm.test', ['a-firm', 'a-2', 'a-3']],
    ['info@firm.test', ['info-firm', 'info-2', 'info-3']],
    ['news@firm.test', ['news-firm', 'news-2', 'news-3']],
    ['b-1234@firm.test', ['1234', '1234-firm', '1234-2']],
    // Every name that began like this one would be that of a return path.
    ['b@corp.test', ['post-corp', 'post-2', 'post-3']],
    ['b+x@corp.test', ['post-corp', 'post-2', 'post-3']],
    ['b-b@corp.test', ['post-corp', 'post-2', 'post-3']],
    ['李@例え.test', ['post-2', 'post-3', 'post-4']],
  ])('of %s', (email, names) => {
    expect(first(email)).toEqual(names)
  })

  it('is that of the sender where the address holds none', () => {
    expect(first('李@例え.test', 'Ann Lee')).toEqual(['ann-lee', 'ann-lee-2', 'ann-lee-3'])
  })

  it.each(['', 'B', 'b b', 'Bo', 'Ann Lee'])(
    'is found for every short local part of a sender called %j',
    (senderName) => {
      const signs = [...'abcdefghijklmnopqrstuvwxyz0123456789']
      const none = [...signs, ...signs.flatMap((one) => signs.map((other) => one + other))].filter(
        (local) => first(`${local}@b.test`, senderName).length < 3,
      )
      expect(none).toEqual([])
    },
  )

  it('never runs out: more of them can be said aloud than will be asked for', () => {
    const names = [...namesFor({ email: 'ann@example.test', senderName: '' }, (count) => count - 1)]
    expect(names.at(-1)).toBe('ann-zuzu')
    expect(names.length).toBeGreaterThan(40)
  })

  it.each(['ann', 'a-1', 'ann.lee-2', '123456789012345'])('may be %s', (name) => {
    expect(isName(name)).toBe(true)
  })

  it.each([
    'an',
    'x'.repeat(16),
    'ann_lee',
    'Ann',
    'ann+lee',
    '.ann',
    'ann-',
    'a..b',
    'a.-b',
    'änn',
    'a b',
    'ann\n',
  ])('may not be %j', (name) => {
    expect(isName(name)).toBe(false)
  })

  it.each([
    'postmaster',
    'post.master',
    'abuse',
    'fbl',
    'admin',
    'mail',
    'no-reply',
    'noreply',
    'bounces',
    'b-x',
    'news',
  ])('is not given away: %s', (name) => {
    expect(isKept(name, 'news@corp.test')).toBe(true)
  })
})

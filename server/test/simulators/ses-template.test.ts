import { describe, expect, it } from 'vitest'
import { expand } from './ses-template.ts'

describe("the simulator's templates", () => {
  it.each([
    ['a {{n}} b', 'a &lt;x&gt; b'],
    ['a {{{n}}} b', 'a <x> b'],
    ['a \\{{n}} b', 'a {{n}} b'],
    ['a \\\\{{n}} b', 'a \\&lt;x&gt; b'],
    ['a { b } }} c', 'a { b } }} c'],
  ])('make of %s %s', (template, text) => {
    expect(expand(template, { n: '<x>' })).toBe(text)
  })

  it.each(['{{m}}', '{{n}}}', '{{{n}}', '{{#if n}}x{{/if}}', '{{n', '{{}}', '{{__proto__}}'])(
    'fail for %s',
    (template) => {
      expect(() => expand(template, { n: 'x' })).toThrow()
    },
  )
})

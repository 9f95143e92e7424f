import { describe, expect, it } from 'vitest'
import { chooseDomain, type ListedDomain } from './mailgun-domain-choice.ts'

describe('the domain that mail leaves by', () => {
  const active = (...names: string[]): ListedDomain[] =>
    names.map((name) => ({ name, state: 'active', type: 'custom' }))
  const choice = (domains: ListedDomain[], sender: string, isComplete = true) =>
    chooseDomain(domains, sender, { isComplete })?.name ?? null

  it.each([
    ['the same', ['mg.product.tld', 'product.tld', 'other.tld'], 'product.tld', 'product.tld'],
    ['in another case', ['Product.TLD'], 'product.tld', 'Product.TLD'],
    ['below it', ['other.tld', 'mg.product.tld'], 'product.tld', 'mg.product.tld'],
    ['above it', ['other.tld', 'product.tld'], 'news.product.tld', 'product.tld'],
    ['beside it', ['other.tld', 'mg.product.tld'], 'news.product.tld', 'mg.product.tld'],
    ['the nearest', ['product.tld', 'b.a.product.tld', 'a.product.tld'], 'c.a.product.tld', 'a.product.tld'],
    ['the shortest of equals', ['mailing.product.tld', 'mg.product.tld'], 'product.tld', 'mg.product.tld'],
    ['the only one', ['other.tld'], 'product.tld', 'other.tld'],
    ['below a suffix of two labels', ['mg.product.co.uk', 'x.co.uk'], 'product.co.uk', 'mg.product.co.uk'],
    ['nobody else below such a suffix', ['a.co.uk', 'b.co.uk'], 'product.co.uk', null],
    ['none of several strangers', ['other.tld', 'another.tld'], 'product.tld', null],
    ['no namesake', ['notproduct.tld', 'x.tld'], 'product.tld', null],
    ['none where there is none', [], 'product.tld', null],
  ])('is %s', (_, names, sender, expected) => {
    expect(choice(active(...names), sender)).toBe(expected)
  })

  it('is one that may send, rather than one that may not; else the right one, so that this can be said', () => {
    const own: ListedDomain = { name: 'product.tld', state: 'unverified', type: 'custom' }
    expect(choice([own, ...active('mg.product.tld')], 'product.tld')).toBe('mg.product.tld')
    expect(choice([own, ...active('other.tld')], 'product.tld')).toBe('product.tld')
    expect(choice([{ ...own, name: 'x.tld' }], 'product.tld')).toBeNull()
  })

  it('is a sandbox only where there is nothing else, and never a guess while a region is silent', () => {
    const sandbox: ListedDomain = { name: 'sandbox1.mailgun.org', state: 'active', type: 'sandbox' }
    expect(choice([sandbox], 'product.tld')).toBe('sandbox1.mailgun.org')
    expect(choice([sandbox, ...active('other.tld')], 'product.tld')).toBe('other.tld')
    expect(choice(active('other.tld'), 'product.tld', false)).toBeNull()
  })
})

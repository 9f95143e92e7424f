import { describe, expect, it } from 'vitest'
import type { Settings } from '../../contract/settings.ts'
import { senderOf, waysOf } from './sender.ts'

const PRODUCT = 'mail@postrider.test'
const OWN = 'ann@x.test'

const sentenceFor = (
  provider: Settings['provider'],
  sendFromOwnAddress: boolean,
  replyTo: string,
): string => {
  const settings = { fromName: 'Ann', fromEmail: OWN, provider, sendFromOwnAddress }
  return waysOf(senderOf({ senderName: '', replyTo }, settings, { mailFrom: PRODUCT }))
}

describe('the sentence about where mail goes out', () => {
  it.each<[Settings['provider'], boolean, string, RegExp]>([
    ['resend', false, '', /verified domain/],
    ['smtp', false, 'office@x.test', /verified domain/],
    // The product's own address named for replies does not make it the user's.
    ['resend', false, PRODUCT, /verified domain/],
    ['smtp', true, '', /own address, and replies come back to it/],
    ['smtp', true, 'office@x.test', /own address\. Replies go to the other one/],
    ['resend', true, '', /verified domain/],
  ])('by %s, own address %s, replies to %j', (provider, isOwn, replyTo, words) => {
    expect(sentenceFor(provider, isOwn, replyTo)).toMatch(words)
  })
})

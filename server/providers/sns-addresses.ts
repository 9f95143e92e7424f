import { snsHost } from './ses-regions.ts'

/**
 * Which addresses of Amazon SNS are believed. They arrive in messages that anyone can send, so each is held against
 * its exact form before a byte goes there: no other host, port, name before an @ or detour of the path passes.
 */

const CERTIFICATE =
  /^https:\/\/sns\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?\/(?:[A-Za-z0-9_-]+\/)*[A-Za-z0-9_-]+\.pem$/
const SUBSCRIPTION = /^https:\/\/sns\.([a-z0-9-]+)\.amazonaws\.com\/\?[\x21\x22\x24-\x7e]+$/
const TOPIC = /^arn:aws(?:-cn|-us-gov)?:sns:([a-z0-9-]+):\d{12}:[A-Za-z0-9_-]{1,256}$/

/** Where a certificate of SNS lies, or null. */
export const certificateUrl = (text: string): URL | null => ofSns(text, CERTIFICATE)

/** Where the subscription to this topic is confirmed, or null. */
export function subscriptionUrl(text: string, topic: string): URL | null {
  const url = ofSns(text, SUBSCRIPTION)
  const isConfirmation = url?.searchParams.get('Action') === 'ConfirmSubscription'
  return isConfirmation && url.searchParams.get('TopicArn') === topic ? url : null
}

export const isTopicArn = (text: string): boolean => {
  const region = TOPIC.exec(text)?.[1]
  return region !== undefined && snsHost(region) !== null
}

/** The topics whose names stand here, separated by commas or blanks; none at all when one of them is no such name. */
export function topicsIn(text: string): string[] {
  const topics = text.split(/[ ,]+/)
  return topics.every(isTopicArn) ? topics : []
}

function ofSns(text: string, form: RegExp): URL | null {
  const region = form.exec(text)?.[1]
  const host = region === undefined ? null : snsHost(region)
  if (host === null) return null
  const url = new URL(text)
  // The form leaves no doubt; what is about to be visited is the URL, though, and not the text.
  return url.protocol === 'https:' && url.host === host && url.username === '' && url.hash === '' ? url : null
}

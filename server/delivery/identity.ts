/**
 * What tells one delivery from all others, towards providers and mail servers. All of it is a function of campaign and
 * recipient: every try of one delivery is the same mail.
 */
export const messageIdOf = (campaignId: string, seq: number, domain: string): string =>
  `<${deliveryTag(campaignId, seq)}@${domain}>`

export const idempotencyKeyOf = (campaignId: string, seq: number): string =>
  `delivery/${deliveryTag(campaignId, seq)}`

/** Fits where providers allow only letters, digits and dashes. */
export const deliveryTag = (campaignId: string, seq: number): string =>
  `${campaignId.replaceAll('-', '')}-${seq}`

const TAG = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})-(\d{1,9})$/

export function readDeliveryTag(tag: string): { campaignId: string; seq: number } | null {
  const match = TAG.exec(tag)
  if (!match) return null
  return { campaignId: match.slice(1, 6).join('-'), seq: Number(match[6]) }
}

/**
 * Where Amazon SES has its API. A region becomes part of a host name, and the credentials go there: only names that
 * are known are ever put in, whatever a user types.
 */
const SES_REGIONS: ReadonlySet<string> = new Set(
  `us-east-1 us-east-2 us-west-1 us-west-2 us-gov-east-1 us-gov-west-1 ca-central-1 ca-west-1 sa-east-1
   eu-central-1 eu-central-2 eu-north-1 eu-south-1 eu-west-1 eu-west-2 eu-west-3 il-central-1 me-central-1 me-south-1
   af-south-1 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-south-2 ap-southeast-1 ap-southeast-2
   ap-southeast-3 ap-southeast-5`.split(/\s+/),
)

/** Regions of Amazon SNS beyond those of SES: a topic may stand in any of them. */
const FURTHER_REGIONS: ReadonlySet<string> = new Set(
  `ap-east-1 ap-east-2 ap-southeast-4 ap-southeast-6 ap-southeast-7 eu-south-2 mx-central-1`.split(' '),
)
const CHINESE_REGIONS: ReadonlySet<string> = new Set(['cn-north-1', 'cn-northwest-1'])

export const isSesRegion = (text: string): boolean => SES_REGIONS.has(text)

/** The host of Amazon SNS in a region, or null for a region that does not exist. */
export function snsHost(region: string): string | null {
  if (SES_REGIONS.has(region) || FURTHER_REGIONS.has(region)) return `sns.${region}.amazonaws.com`
  return CHINESE_REGIONS.has(region) ? `sns.${region}.amazonaws.com.cn` : null
}

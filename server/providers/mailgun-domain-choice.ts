/** Which domain of a Mailgun account a sender's mail leaves by. */

/** `state`: active, unverified or disabled. `type`: custom, or sandbox for trying things out. */
export type ListedDomain = { name: string; state: string; type: string }

/**
 * Mailgun takes any From by any domain, but receivers trust it only where both belong together. So: the sender's own
 * domain, else one of the same organisation (`mg.product.tld` for `product.tld`), else the only one that there is; null
 * when all that would be guessing. One that may not send is chosen where it would be the right one: then this can be
 * said, and mail does not silently leave by another.
 */
export function chooseDomain<Domain extends ListedDomain>(
  domains: readonly Domain[],
  sender: string,
  /** Whether these are all domains: only then is one of them "the only one". */
  { isComplete }: { isComplete: boolean },
): Domain | null {
  const own = domains.filter(({ name }) => name.toLowerCase() === sender)
  const related = domains
    .filter(({ name }) => isSameOrganisation(name.toLowerCase(), sender))
    .toSorted(
      (a, b) =>
        sharedLabels(b.name, sender) - sharedLabels(a.name, sender) ||
        a.name.length - b.name.length ||
        // Any order does, as long as it is the same tomorrow.
        (a.name < b.name ? -1 : 1),
    )
  return own.find(isActive) ?? related.find(isActive) ?? own[0] ?? related[0] ?? onlyOne(domains, isComplete)
}

export const isActive = ({ state }: ListedDomain): boolean => state === 'active'
export const isSandbox = ({ type }: ListedDomain): boolean => type === 'sandbox'

function onlyOne<Domain extends ListedDomain>(
  domains: readonly Domain[],
  isComplete: boolean,
): Domain | null {
  const active = domains.filter(isActive)
  const custom = active.filter((domain) => !isSandbox(domain))
  const candidates = custom.length > 0 ? custom : active
  return isComplete && candidates.length === 1 ? (candidates[0] ?? null) : null
}

const isSameOrganisation = (a: string, b: string): boolean =>
  a.endsWith(`.${b}`) || b.endsWith(`.${a}`) || organisationOf(a) === organisationOf(b)

/**
 * The last two labels, or three below a suffix like `co.uk` or `com.au`: without the public list of suffixes, rather
 * too narrow than one that takes two strangers for one.
 */
function organisationOf(domain: string): string {
  const labels = domain.split('.')
  const [second = '', top = ''] = labels.slice(-2)
  return labels.slice(top.length === 2 && second.length <= 3 ? -3 : -2).join('.')
}

function sharedLabels(name: string, sender: string): number {
  const a = name.toLowerCase().split('.').toReversed()
  const b = sender.split('.').toReversed()
  const differing = a.findIndex((label, index) => label !== b[index])
  return differing < 0 ? a.length : differing
}

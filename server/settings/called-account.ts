import type { ProviderName } from '../../contract/settings.ts'
import type { SettingsService } from './service.ts'

/** The product's own account has one address, and its key comes from the environment. */
const PRODUCT_TOKEN = 'product'
/** As `randomToken` makes them. */
const TOKEN = /^[\w-]{43}$/

/** Whose address was called, and what proves a call to it; `userId` is null for the product's own account. */
export type CalledAccount<Name extends ProviderName> = { provider: Name; userId: string | null; key: string }

type Needs = {
  settings: Pick<SettingsService, 'webhookOwner'>
  /** Null where the operator has set none: then every call for the product's own account is refused. */
  productKey: string | null
}

/** Null when the address is nobody's, or nothing could prove a call to it. */
export async function calledAccount<Name extends ProviderName>(
  provider: Name,
  token: string,
  { settings, productKey }: Needs,
): Promise<CalledAccount<Name> | null> {
  if (provider === 'resend')
    return token === PRODUCT_TOKEN && productKey ? { provider, userId: null, key: productKey } : null
  const owner = TOKEN.test(token) ? await settings.webhookOwner(provider, token) : null
  return owner && { provider, ...owner }
}

import { setNonce } from 'get-nonce'
import { config } from 'zod'

/**
 * Must be the first import of an entry: it makes libraries obey our content security policy, and zod and the
 * scroll lock read these settings while their own modules load.
 */

/** The nonce the server put into this very page, for the few style tags that libraries add at run time. */
export const cspNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

setNonce(cspNonce)

// zod would compile parsers with `new Function`; the policy forbids that and each attempt is logged as a breach.
config({ jitless: true })

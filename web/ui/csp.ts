import { setNonce } from 'get-nonce'

/**
 * Must be the first import of an entry: it makes libraries obey our content security policy, and zod and the
 * scroll lock read these settings while their own modules load.
 */

// The nonce the server put into this very page, for the style tag with which dialogs lock the scrolling.
const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')
setNonce(meta?.nonce || meta?.content || '')

// zod would compile parsers with `new Function`; the policy forbids that and each attempt is logged as a breach. It
// looks for its settings here, and is told so without being loaded: whoever signs in does not need it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

import { useSearch } from 'wouter/use-browser-location'

/**
 * What stands behind the question mark of the address, as it stands there. What wouter gives by itself is decoded once,
 * and whoever reads it decodes once more: a search for “50%deal” would come back as another one.
 */
export const useQueryString = (): string => useSearch().replace(/^\?/, '')

import { apiRequest, WHO_IS_THERE } from './client.ts'

/**
 * Has something announced that is done later, when it can be taken back no more. Said to be done without a connection,
 * it would still be there should the page be closed before there is one again. A server on this very machine answers all
 * the same, whatever the browser thinks: so it is asked.
 */
export function onceReachable(announce: () => void, refuse: (error: unknown) => void): void {
  if (navigator.onLine) announce()
  else apiRequest('GET', WHO_IS_THERE).then(announce, refuse)
}

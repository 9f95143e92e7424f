/**
 * Loads another page of the application from scratch after a pause. A full load, so that nothing of the old
 * session stays in memory. It is not tied to a component: who is signed in or out by now has to go either way.
 */
export function leaveFor(path: string, afterMs: number): void {
  setTimeout(() => window.location.assign(path), afterMs)
}

/** The line by which news comes is cut: whatever else is asked for may find nobody either. */
let isCut = false
const listeners = new Set<() => void>()

export function noteCut(): void {
  isCut = true
}

export function noteOpen(): void {
  isCut = false
  for (const heard of listeners) heard()
}

export const mayBeAway = (): boolean => isCut || !navigator.onLine

/** Tells when the server, or the network, is there again; answers how to stop. */
export function onReturn(heard: () => void): () => void {
  listeners.add(heard)
  window.addEventListener('online', heard)
  return () => {
    listeners.delete(heard)
    window.removeEventListener('online', heard)
  }
}

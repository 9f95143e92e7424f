const LOOK_MS = 20

/**
 * Tells how many milliseconds have passed since, without the moments in which a busy machine let this process have no
 * turn; what the process computes itself counts whole.
 */
export function ownTime(): () => number {
  let own = 0
  let at = performance.now()
  let computed = process.threadCpuUsage()
  const look = () => {
    const now = performance.now()
    const { user, system } = process.threadCpuUsage(computed)
    own += Math.min(now - at, Math.max(2 * LOOK_MS, (user + system) / 1000))
    at = now
    computed = process.threadCpuUsage()
  }
  const looking = setInterval(look, LOOK_MS)
  return () => {
    clearInterval(looking)
    look()
    return own
  }
}

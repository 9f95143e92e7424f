/** Tells how many milliseconds this thread has computed since, whatever else the machine did meanwhile. */
export function computing(): () => number {
  const start = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(start)
    return (user + system) / 1000
  }
}

/** Looks again and again until something holds; fails with its name when it does not within the time. */
export async function until(
  what: string,
  holds: () => Promise<boolean>,
  milliseconds = 20_000,
): Promise<void> {
  const deadline = performance.now() + milliseconds
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${milliseconds} ms in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

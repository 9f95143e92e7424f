const STEPS = ['KB', 'MB', 'GB'] as const

/** "840 bytes", "12 KB", "3.4 MB". */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  let value = bytes / 1000
  let step = 0
  // Rounded, 999.6 KB would be 1000 KB.
  while (value >= 999.5 && step < STEPS.length - 1) {
    value /= 1000
    step += 1
  }
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value)} ${STEPS[step]}`
}

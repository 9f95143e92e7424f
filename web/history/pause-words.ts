/** Without a reason it was a person. */
export const pauseWords = (reason: string | null): string =>
  reason === null ? 'Paused. Nobody else gets this email until it is resumed.' : `Paused: ${reason}`

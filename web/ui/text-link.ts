/**
 * A link inside or beside text. Its padding, taken back by the margin, makes it 44 px high for a finger without
 * moving the lines around it.
 */
export const textLink =
  '-my-4 inline-block rounded-sm py-4 font-medium text-accent-text underline decoration-accent/40 underline-offset-4 hover:decoration-accent'

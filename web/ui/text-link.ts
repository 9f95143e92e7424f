const look =
  'inline-block rounded-sm font-medium text-accent-text underline decoration-accent/40 underline-offset-4 hover:decoration-accent'

/**
 * A link inside or beside text. Its padding, taken back by the margin, makes it 44 px high for a finger without
 * moving the lines around it.
 */
export const textLink = `${look} -my-3 py-3`

/** Beside a heading, for a way that few need. */
export const quietLink =
  '-my-3 inline-block rounded-sm py-3 font-medium text-muted text-sm underline decoration-control/40 underline-offset-4 hover:text-ink'

/** Like a link in text, but at the end of a label's line: its room lies above, for below it the control begins. */
export const labelLink = `${look} -mt-5 -mb-1 pt-5 pb-1`

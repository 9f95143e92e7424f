import { z } from 'zod'

/** A date on the server, its text on the wire. */
export const DateTime = z
  .date()
  .transform((date) => date.toISOString())
  .pipe(z.iso.datetime())

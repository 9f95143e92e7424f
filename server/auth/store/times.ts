import { sql } from 'kysely'

// All times are the database's: a process whose clock is wrong does not shorten or lengthen a code's life.
export const ago = (amount: number, unit: 'minutes' | 'hours' | 'days') =>
  sql<Date>`now() - make_interval(${sql.raw(unit === 'minutes' ? 'mins' : unit)} => ${amount})`
export const ahead = (minutes: number) => sql<Date>`now() + make_interval(mins => ${minutes})`

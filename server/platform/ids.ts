import { z } from 'zod'

const Id = z.uuid()

/** PostgreSQL would complain about anything else. */
export const isId = (id: string): boolean => Id.safeParse(id).success

/** In a path: nothing is there under an id that is none, just as under this one, which nobody has. */
export const AnyId = Id.catch('00000000-0000-0000-0000-000000000000')

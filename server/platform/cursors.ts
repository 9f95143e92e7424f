import { AppError } from './errors.ts'
import { isId } from './ids.ts'

/** A place in a list. The time in microseconds, which a JavaScript date cannot hold. */
export type Place = { position: string; id: string }

export const writePlace = ({ position, id }: Place): string => `${position}_${id}`

export function readPlace(cursor: string): Place {
  const [position = '', id = ''] = cursor.split('_')
  if (!/^\d{1,17}$/.test(position) || !isId(id)) throw badCursor()
  return { position, id }
}

/** Where the rows are numbered, a number is a place. */
export function readSeq(cursor: string): number {
  if (!/^\d{1,9}$/.test(cursor)) throw badCursor()
  return Number(cursor)
}

const badCursor = (): AppError =>
  new AppError(400, 'The cursor is not one that Postrider gave; start again at the first page')

import type { KeyboardEvent, MouseEvent } from 'react'

/*
 * The second click of two and what a held key repeats belong to one press. Where something else stands by then in the
 * place of what was pressed, they would do what nobody asked for.
 */

export const onFirstClick =
  (act: () => void) =>
  ({ detail }: MouseEvent): void => {
    if (detail <= 1) act()
  }

const PRESSES = new Set(['Enter', ' '])

/** A button that gets the keyboard while a key is held is not pressed by it. */
export function ignoreHeldKey(event: KeyboardEvent): void {
  if (event.repeat && PRESSES.has(event.key)) event.preventDefault()
}

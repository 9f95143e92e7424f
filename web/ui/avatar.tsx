import { classes } from './classes.ts'

/** Two letters for a person: of two names, else of the address. */
export function initialsOf(name: string): string {
  const words = (name.split('@')[0] ?? '').split(/[\s._-]+/).filter(Boolean)
  const first = words[0]?.[0] ?? '?'
  const second = words.length > 1 ? (words.at(-1)?.[0] ?? '') : (words[0]?.[1] ?? '')
  return (first + second).toUpperCase()
}

/** Decorative: the name or address always stands beside it. No pictures are fetched from anywhere. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classes(
        'inline-grid shrink-0 place-items-center rounded-full border border-line font-semibold text-soft text-xs',
        className ?? 'size-8 bg-sunken',
      )}
    >
      {initialsOf(name)}
    </span>
  )
}

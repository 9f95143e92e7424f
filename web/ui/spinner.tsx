import { classes } from './classes.ts'

/** Turns while something is under way. Purely visual: the words beside it, or `label`, tell what is awaited. */
export function Spinner({ className, label }: { className?: string; label?: string }) {
  const drawing = (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      aria-hidden="true"
      className={classes('animate-spin', className ?? 'size-5')}
    >
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeWidth="2.5" opacity="0.2" />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  )
  if (!label) return drawing
  return (
    <span role="status">
      {drawing}
      <span className="sr-only">{label}</span>
    </span>
  )
}

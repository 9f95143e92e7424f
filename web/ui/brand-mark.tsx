import { classes } from './classes.ts'

/** The post-horn that announced the mail coach: one tube, one loop, one bell. */
export function HornShape() {
  return (
    <g transform="rotate(-14 16 16)">
      <path d="M5.5 11.75H19" fill="none" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
      <circle cx="13" cy="17.25" r="5.5" fill="none" stroke="currentColor" strokeWidth="2.5" />
      <path
        d="M17.5 10.5c4.2 0 7-1.7 9.2-4.8.3-.5 1-.3 1 .3v11.5c0 .6-.7.8-1 .3-2.2-3.1-5-4.8-9.2-4.8Z"
        fill="currentColor"
      />
    </g>
  )
}

/** The mark on its vermilion tile. Decorative: the product's name always stands beside it. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 32 32"
      aria-hidden="true"
      className={classes('shrink-0 text-on-accent', className ?? 'size-8')}
    >
      <rect width="32" height="32" rx="7.5" className="fill-accent" />
      <HornShape />
    </svg>
  )
}

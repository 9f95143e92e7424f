import { useId } from 'react'
import { HornShape } from '../ui/brand-mark.tsx'
import { classes } from '../ui/classes.ts'

/** A round postmark with the horn in its middle and the promise around it. */
export function Postmark({ className }: { className?: string }) {
  const ring = useId()
  return (
    <svg viewBox="0 0 240 240" aria-hidden="true" className={classes('-rotate-12', className)} fill="none">
      {/* Filled, so that the waves end at the postmark and leave the horn alone. */}
      <circle
        cx="120"
        cy="120"
        r="116"
        className="fill-night"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeOpacity="0.5"
      />
      <circle cx="120" cy="120" r="110" stroke="currentColor" strokeWidth="3" strokeOpacity="0.85" />
      <circle cx="120" cy="120" r="74" stroke="currentColor" strokeWidth="1.5" strokeOpacity="0.5" />
      <path id={ring} d="M120 208a88 88 0 1 1 .01 0" />
      <text fill="currentColor" fontSize="15.5" fontWeight="600" opacity="0.9" className="font-sans">
        {/* A little less than the circumference, 2π × 88, so that the ring closes with an even gap. */}
        <textPath href={`#${ring}`} textLength="546">
          POSTRIDER · NOBODY TWICE · NOBODY LEFT OUT ·
        </textPath>
      </text>
      <g transform="translate(64 64) scale(3.5)" className="text-accent">
        <HornShape />
      </g>
    </svg>
  )
}

const wave =
  'q20 -16 40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0'

/** The wavy bars with which a post office cancels a stamp. */
export function CancellationWaves({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 600 150" aria-hidden="true" className={className} fill="none">
      {[15, 39, 63, 87, 111, 135].map((y) => (
        <path key={y} d={`M0 ${y}${wave}`} stroke="currentColor" strokeWidth="4" />
      ))}
    </svg>
  )
}

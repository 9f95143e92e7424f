import { encode } from 'uqr'
import { classes } from './classes.ts'

/** In modules: a camera finds the code by the empty ground around it, and four are what the standard asks for. */
const QUIET_ZONE = 4

interface QrCodeProps {
  text: string
  /** What whoever points a camera at it gets. */
  label: string
  /** Gives the size. */
  className: string
}

/** Black on white in every theme, for many a camera does not read it the other way round. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={classes('rounded-md', className)}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={drawModules(data)} fill="#000" />
    </svg>
  )
}

/** One rectangle for each run of dark modules in a row: single squares would leave hairlines between them. */
export function drawModules(rows: readonly (readonly boolean[])[]): string {
  const runs = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => {
      if (!isDark || row[x - 1]) return []
      const end = row.indexOf(false, x)
      const length = (end === -1 ? row.length : end) - x
      return `M${x} ${y}h${length}v1h-${length}z`
    }),
  )
  return runs.join('')
}

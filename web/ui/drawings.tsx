import type { ReactNode } from 'react'

/* Small line drawings for empty screens: one pen, one accent stroke each. */

function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 96 72"
      className="h-24 w-32"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

const accent = { className: 'stroke-accent', strokeWidth: 2.5 }

export function BarsDrawing() {
  return (
    <Drawing>
      <path d="M10 60h76" />
      <path d="M18 60V46h8v14M32 60V38h8v22M46 60V44h8v16M74 60V34h8v26" />
      <path {...accent} d="M60 60V20h8v40" />
    </Drawing>
  )
}

export function TrayDrawing() {
  return (
    <Drawing>
      <path d="M16 42l9-22h46l9 22v18H16V42Z" />
      <path d="M16 42h19c1 6 5 9 13 9s12-3 13-9h19" />
      <path {...accent} d="M48 8v22m-8-8 8 8 8-8" />
    </Drawing>
  )
}

export function EnvelopeDrawing() {
  return (
    <Drawing>
      <path d="M14 16h68v44H14z" />
      <path {...accent} d="M14 16l34 26 34-26" />
    </Drawing>
  )
}

export function PenDrawing() {
  return (
    <Drawing>
      <path d="M14 18h46v42H14zM22 30h22M22 38h28M22 46h14" />
      <path {...accent} d="M52 46l3-9 20-20 6 6-20 20-9 3Z" />
    </Drawing>
  )
}

export function SheetsDrawing() {
  return (
    <Drawing>
      <path d="M34 14h38v44M28 20h38" />
      <path d="M20 20h40v42H20z" />
      <path {...accent} d="M28 32h24" />
      <path d="M28 41h24M28 50h14" />
    </Drawing>
  )
}

export function LedgerDrawing() {
  return (
    <Drawing>
      <path d="M12 14h72v46H12zM12 29h72M12 44h72" />
      <path d="M22 21.5h20M22 36.5h26M22 51.5h16" />
      <path {...accent} d="M64 36.5l4 4 8-8" />
    </Drawing>
  )
}

export function DialsDrawing() {
  return (
    <Drawing>
      <path d="M12 22h72M12 50h72" />
      <circle cx="34" cy="22" r="7" className="fill-paper" />
      <circle cx="62" cy="50" r="7" className="fill-paper stroke-accent" strokeWidth="2.5" />
    </Drawing>
  )
}

export function SignpostDrawing() {
  return (
    <Drawing>
      <path d="M46 12v52M34 64h24" />
      <path d="M46 18h26l8 7-8 7H46z" />
      <path {...accent} d="M46 38H24l-8 6.5 8 6.5h22z" />
    </Drawing>
  )
}

export function ClosedBoxDrawing() {
  return (
    <Drawing>
      <path d="M30 64V46M22 64h16" />
      <path d="M16 46V28a12 12 0 0 1 12-12h40a12 12 0 0 1 12 12v18H16Z" />
      <path d="M40 46V28a12 12 0 0 0-24 0" />
      <path {...accent} d="M54 30h16" />
    </Drawing>
  )
}

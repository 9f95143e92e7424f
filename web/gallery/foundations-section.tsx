import { BrandMark } from '../ui/brand-mark.tsx'
import {
  BarsDrawing,
  DialsDrawing,
  EnvelopeDrawing,
  LedgerDrawing,
  PenDrawing,
  SheetsDrawing,
  SignpostDrawing,
  TrayDrawing,
} from '../ui/drawings.tsx'
import { Row, Section } from './section.tsx'

const grounds = [
  'bg-paper',
  'bg-sunken',
  'bg-card',
  'bg-hover',
  'bg-line',
  'bg-control',
  'bg-ink',
  'bg-accent',
  'bg-night',
]
const tones = ['bg-delivered', 'bg-bounced', 'bg-failed', 'bg-pending', 'bg-opened', 'bg-unconfirmed']
const sizes = ['text-xs', 'text-sm', 'text-base', 'text-lg', 'text-xl', 'text-2xl']

function Swatch({ name }: { name: string }) {
  return (
    <span className="grid gap-1 text-muted text-xs">
      <span className={`size-14 rounded-md border border-line ${name}`} />
      {name.replace('bg-', '')}
    </span>
  )
}

export function FoundationsSection() {
  return (
    <Section title="Foundations">
      <Row name="Ground and ink">
        {grounds.map((name) => (
          <Swatch key={name} name={name} />
        ))}
      </Row>
      <Row name="Meanings">
        {tones.map((name) => (
          <Swatch key={name} name={name} />
        ))}
      </Row>
      <Row name="Type">
        <div className="grid gap-2">
          {sizes.map((size) => (
            <p key={size} className={size}>
              1,204 of 5,000 accepted <span className="font-medium">1,204 of 5,000</span>{' '}
              <span className="font-semibold">accepted</span>
            </p>
          ))}
        </div>
      </Row>
      <Row name="Mark">
        <BrandMark className="size-5" />
        <BrandMark className="size-8" />
        <BrandMark className="size-16" />
      </Row>
      <Row name="Drawings">
        <div className="flex flex-wrap text-control">
          <BarsDrawing />
          <TrayDrawing />
          <EnvelopeDrawing />
          <PenDrawing />
          <SheetsDrawing />
          <LedgerDrawing />
          <DialsDrawing />
          <SignpostDrawing />
        </div>
      </Row>
    </Section>
  )
}

import type { ReactNode } from 'react'
import type { Template } from '../../contract/templates.ts'
import { TemplateCard } from './template-card.tsx'
import { TemplateCardSkeleton } from './template-card-skeleton.tsx'

const SKELETONS = ['first', 'second', 'third'] as const

interface TemplateGridProps {
  templates: readonly Template[]
  onEdit: (template: Template) => void
}

export function TemplateGrid({ templates, onEdit }: TemplateGridProps) {
  const now = new Date()
  return (
    <Grid label="Templates">
      {templates.map((template) => (
        <TemplateCard key={template.id} template={template} now={now} onEdit={() => onEdit(template)} />
      ))}
    </Grid>
  )
}

export function TemplateGridSkeleton() {
  return (
    <>
      <p role="status" className="sr-only">
        Loading your templates
      </p>
      <Grid>
        {SKELETONS.map((place) => (
          <TemplateCardSkeleton key={place} />
        ))}
      </Grid>
    </>
  )
}

function Grid({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul
      aria-label={label}
      aria-hidden={label === undefined || undefined}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(18rem,100%),1fr))] gap-4"
    >
      {children}
    </ul>
  )
}

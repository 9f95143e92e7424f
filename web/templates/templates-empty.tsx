import type { ReactNode } from 'react'
import { SheetsDrawing } from '../ui/drawings.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { STARTERS } from './starters.ts'
import type { TemplateForm } from './template-form.ts'

interface TemplatesEmptyProps {
  create: ReactNode
  /** Begins with a text of ours; nothing is kept before it is saved. */
  onStart: (form: TemplateForm) => void
}

export function TemplatesEmpty({ create, onStart }: TemplatesEmptyProps) {
  return (
    <div className="grid gap-8">
      <EmptyState
        drawing={<SheetsDrawing />}
        title="No Templates Yet"
        text="Create your first email template to save time on recurring messages"
        action={create}
      />
      <section aria-labelledby="starters" className="grid gap-3">
        <h2 id="starters" className="font-medium text-muted text-sm">
          Or begin with one of ours and make it yours
        </h2>
        <ul className="grid gap-4 md:grid-cols-3">
          {STARTERS.map(({ form, purpose }) => (
            <li key={form.name}>
              <button
                type="button"
                onClick={() => onStart(form)}
                className="grid h-full w-full content-start gap-0.5 rounded-lg border border-line bg-card p-5 text-left shadow-lift transition-colors hover:border-control hover:bg-hover"
              >
                <span className="font-semibold">{form.name}</span>
                <span className="text-muted text-sm">{purpose}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { Clock, Pencil, Trash2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import type { Template } from '../../contract/templates.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { focusNext } from '../ui/next-focus.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { inWords } from '../ui/words.ts'
import { DeleteQuestion } from './delete-question.tsx'
import { deleteWithUndo } from './deletions.ts'
import { lastUsedLabel } from './last-used.ts'
import { sayLoaded } from './template-toasts.ts'

interface TemplateCardProps {
  template: Template
  now: Date
  onEdit: () => void
}

export function TemplateCard({ template, now, onEdit }: TemplateCardProps) {
  const { name, subject, body, lastUsed, usageCount } = template
  const titleId = useId()
  return (
    <li className="min-w-0">
      <Card>
        <div className="p-5">
          <h2 id={titleId} title={name} dir="auto" className="truncate text-left font-semibold text-lg">
            {name}
          </h2>
          <p title={subject} dir="auto" className="truncate text-left text-soft">
            {subject}
          </p>
          <p dir="auto" className="mt-3 line-clamp-2 wrap-anywhere h-10 text-left text-muted text-sm">
            {body || 'No message yet'}
          </p>
          <dl className="mt-4 flex justify-between gap-4 text-muted text-sm">
            <div className="flex items-center gap-1.5">
              <Clock aria-hidden="true" className="size-3.5" />
              <dt className="sr-only">Last used</dt>
              <dd>{lastUsedLabel(lastUsed, now)}</dd>
            </div>
            <div>
              <dt className="sr-only">Usage</dt>
              <dd>Used {inWords(usageCount)} times</dd>
            </div>
          </dl>
        </div>
        <TemplateActions template={template} titleId={titleId} onEdit={onEdit} />
      </Card>
    </li>
  )
}

interface TemplateActionsProps {
  template: Template
  titleId: string
  onEdit: () => void
}

function TemplateActions({ template, titleId, onEdit }: TemplateActionsProps) {
  const [, navigate] = useLocation()
  const client = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const actions = useRef<HTMLElement>(null)
  const { id, name } = template

  const load = () => {
    navigate(`/compose/${encodeURIComponent(id)}`)
    sayLoaded(name)
  }
  const remove = () => {
    focusNeighbour(actions.current?.closest('li') ?? null)
    deleteWithUndo(client, template)
  }
  const keep = () => {
    flushSync(() => setIsAsking(false))
    actions.current?.querySelector<HTMLElement>('[data-delete]')?.focus()
  }
  return (
    <footer ref={actions} className="flex items-center gap-1 border-line border-t px-3 py-2.5">
      {isAsking ? (
        <DeleteQuestion name={name} onDelete={remove} onKeep={keep} />
      ) : (
        <>
          <Button className="mr-auto" aria-describedby={titleId} onClick={load}>
            Use Template
          </Button>
          <Tooltip text="Edit">
            <Button variant="ghost" size="icon" aria-label={`Edit ${name}`} onClick={onEdit}>
              <Pencil aria-hidden="true" className="size-4" />
            </Button>
          </Tooltip>
          <Tooltip text="Delete">
            <Button
              variant="ghost"
              size="icon"
              data-delete
              aria-label={`Delete ${name}`}
              onClick={() => setIsAsking(true)}
            >
              <Trash2 aria-hidden="true" className="size-4" />
            </Button>
          </Tooltip>
        </>
      )}
    </footer>
  )
}

/** Who deletes by keyboard goes on from the next card, or from the beginning of the screen when it was the last. */
function focusNeighbour(item: Element | null): void {
  const neighbour = item?.nextElementSibling ?? item?.previousElementSibling
  focusNext(() => neighbour?.querySelector('button') ?? null, item)
}

import { ListFilter as FilterIcon } from 'lucide-react'
import { useState } from 'react'
import type { CampaignStatus } from '../../contract/campaigns.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Popover } from '../ui/popover.tsx'
import { Select } from '../ui/select.tsx'
import { DayInput } from './day-input.tsx'
import { choicesOf, isUpsideDown, type ListFilter } from './history-filter.ts'

const STATUSES = [
  { value: 'all', label: 'All' },
  { value: 'sent', label: 'Sent' },
  { value: 'failed', label: 'Failed' },
  { value: 'pending', label: 'Pending' },
] as const satisfies readonly { value: CampaignStatus | 'all'; label: string }[]

interface FilterButtonProps {
  filter: ListFilter
  onChoose: (choice: Partial<ListFilter>) => void
}

/** Status and days. Each choice takes effect at once; the button tells how many there are. */
export function FilterButton({ filter, onChoose }: FilterButtonProps) {
  const [open, setOpen] = useState(false)
  const choices = choicesOf(filter)
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label="Filter emails"
      className="grid w-72 gap-4 p-4"
      trigger={
        <Button size="field">
          <FilterIcon aria-hidden="true" className="size-4" />
          Filter
          {choices > 0 && (
            <span className="-mr-1 grid size-5 place-items-center rounded-full bg-ink font-semibold text-paper text-xs">
              {choices}
            </span>
          )}
          {choices > 0 && <span className="sr-only">{choices === 1 ? 'choice' : 'choices'} made</span>}
        </Button>
      }
    >
      <Field label="Status">
        {(control) => (
          <Select
            {...control}
            options={STATUSES}
            value={filter.status ?? 'all'}
            onValueChange={(status) => onChoose({ status: status === 'all' ? null : status })}
          />
        )}
      </Field>
      <Field label="Sent from">
        {(control) => <DayInput {...control} day={filter.from} onDay={(from) => onChoose({ from })} />}
      </Field>
      <Field label="Sent until" error={isUpsideDown(filter) ? 'This day is before the first one' : undefined}>
        {(control) => <DayInput {...control} day={filter.to} onDay={(to) => onChoose({ to })} />}
      </Field>
      <div className="flex justify-between gap-2">
        <Button
          variant="ghost"
          disabled={choices === 0}
          returnFocusTo="around"
          onClick={() => onChoose({ status: null, from: null, to: null })}
        >
          Clear filters
        </Button>
        <Button onClick={() => setOpen(false)}>Done</Button>
      </div>
    </Popover>
  )
}

import type { DeliveryState } from '../../contract/campaigns.ts'
import { classes } from '../ui/classes.ts'
import { inWords } from '../ui/words.ts'
import type { StateChoice } from './deliveries-filter.ts'

interface StateFilterProps {
  choices: readonly StateChoice[]
  chosen: DeliveryState | null
  onChoose: (state: DeliveryState | null) => void
}

/** One button for each state that somebody is in, with how many. */
export function StateFilter({ choices, chosen, onChoose }: StateFilterProps) {
  return (
    <fieldset className="-mb-px flex min-w-0 gap-1 overflow-x-auto border-line border-b px-2">
      <legend className="sr-only">Show deliveries by state</legend>
      {choices.map(({ state, name, count }) => (
        <button
          key={name}
          type="button"
          aria-pressed={state === chosen}
          onClick={() => onChoose(state)}
          className={classes(
            'tap-10 min-w-11 shrink-0 whitespace-nowrap border-b-2 px-3 font-medium -outline-offset-2 transition-colors',
            state === chosen ? 'border-ink text-ink' : 'border-transparent text-muted hover:text-ink',
          )}
        >
          {name} <span className="font-normal text-muted text-sm">{inWords(count)}</span>
        </button>
      ))}
    </fieldset>
  )
}

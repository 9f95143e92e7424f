import { Card } from '../ui/card.tsx'
import { EnvelopeDrawing } from '../ui/drawings.tsx'
import { PaneNote } from './pane-note.tsx'

const KEYS = [
  ['J', 'K', 'move'],
  ['Enter', 'opens'],
  ['R', 'replies'],
  ['E', 'archives'],
] as const

/** With an empty list there is nothing to choose from, and no key that would do anything. */
export function NothingSelected({ isListEmpty }: { isListEmpty: boolean }) {
  return (
    <Card className="grid min-h-full content-center justify-items-center">
      <PaneNote
        drawing={<EnvelopeDrawing />}
        title="Select a message"
        text={
          isListEmpty
            ? 'What you open is read and answered here.'
            : 'Choose one from the list to read and answer it here.'
        }
        action={
          !isListEmpty && (
            <p className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-sm pointer-coarse:hidden">
              {KEYS.map((words) => (
                <span key={words.join()} className="whitespace-nowrap">
                  {words.slice(0, -1).map((key) => (
                    <kbd
                      key={key}
                      className="mr-1 rounded-sm border border-line bg-sunken px-1.5 font-medium font-sans text-xs"
                    >
                      {key}
                    </kbd>
                  ))}
                  {words.at(-1)}
                </span>
              ))}
            </p>
          )
        }
      />
    </Card>
  )
}

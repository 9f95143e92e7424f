import { useId } from 'react'
import { Button } from '../ui/button.tsx'
import type { SettingsFormModel } from './use-settings-form.ts'

/** Stays in sight while the form is, for what it saves is longer than a screen. */
export function SaveBar({ model }: { model: SettingsFormModel }) {
  const hintId = useId()
  return (
    <div
      data-bar="bottom"
      className="-mx-4 sticky bottom-0 z-10 flex items-center gap-4 border-line border-t bg-paper px-4 py-3 md:mx-0 md:px-0"
    >
      <Button
        variant="primary"
        className={model.needsTest ? 'shrink-0' : 'grow md:grow-0'}
        onClick={model.save}
        pending={model.isSaving}
        pendingText="Saving..."
        disabled={model.needsTest}
        returnFocusTo="around"
        aria-describedby={model.needsTest ? hintId : undefined}
      >
        Save Settings
      </Button>
      {model.needsTest && (
        <p id={hintId} className="min-w-0 text-balance text-muted text-sm">
          Please test your credentials before saving settings
        </p>
      )}
    </div>
  )
}

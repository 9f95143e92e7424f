import { Link } from 'wouter'
import type { Settings } from '../../contract/settings.ts'
import { Switch } from '../ui/switch.tsx'
import { textLink } from '../ui/text-link.ts'
import type { SettingsFormModel } from './use-settings-form.ts'

const TITLE_ID = 'habits-title'

export function HabitsHeading() {
  return (
    <h3 id={TITLE_ID} className="font-semibold">
      Tracking and Unsubscribing
    </h3>
  )
}

interface MailHabitsRowsProps {
  model: SettingsFormModel
  stored: Settings
  /** Whether this installation counts opens at all. */
  tracksOpens: boolean
}

export function MailHabitsRows({ model, stored, tracksOpens }: MailHabitsRowsProps) {
  const { trackOpens, alwaysUnsubscribe } = { ...stored, ...model.habits }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot be the heading that it is
    <div role="group" aria-labelledby={TITLE_ID} className="grid gap-5 border-line border-t p-5">
      <HabitsHeading />
      <Switch
        label="Count opens"
        hint={
          tracksOpens
            ? 'Tells when an email is read. Apple Mail and some scanners fetch pictures by themselves; those are not counted.'
            : 'This installation does not count opens.'
        }
        disabled={!tracksOpens}
        checked={tracksOpens && trackOpens}
        onCheckedChange={(checked) =>
          model.dispatch({ kind: 'habit switched', habits: { trackOpens: checked } })
        }
      />
      <Switch
        label="Unsubscribe link in single emails"
        hint="Emails to several people always carry one."
        checked={alwaysUnsubscribe}
        onCheckedChange={(checked) =>
          model.dispatch({ kind: 'habit switched', habits: { alwaysUnsubscribe: checked } })
        }
      />
      <p className="text-muted text-sm">
        <Link href="/suppressions" className={textLink}>
          Suppression List
        </Link>
        : people you no longer write to
      </p>
    </div>
  )
}

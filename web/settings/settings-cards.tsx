import { type FormEvent, useRef } from 'react'
import type { Instance } from '../../contract/instance.ts'
import type { Settings } from '../../contract/settings.ts'
import { LeaveDialog } from '../ui/leave-dialog.tsx'
import { ProviderCard } from './provider-card.tsx'
import { SaveBar } from './save-bar.tsx'
import { SenderCard } from './sender-card.tsx'
import { useSettingsForm } from './use-settings-form.ts'

interface SettingsCardsProps {
  /** As they are stored when the form is begun. */
  settings: Settings
  instance: Instance
}

export function SettingsCards({ settings, instance }: SettingsCardsProps) {
  const replyTo = useRef<HTMLInputElement>(null)
  const model = useSettingsForm(settings, replyTo)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    model.goOn()
  }
  return (
    // The bar at the bottom must not lie over the field that gets the focus.
    <form
      noValidate
      className="grid gap-6 [&_:is(a,button,input,select)]:scroll-mt-20 [&_:is(a,button,input,select)]:scroll-mb-32"
      onSubmit={submit}
    >
      {/* Enter presses the first submit button; the visible ones may be disabled when there is still something to say. */}
      <button type="submit" hidden />
      <ProviderCard model={model} stored={model.stored} isLocalMailbox={instance.keepsMail} />
      <SenderCard model={model} replyTo={replyTo} instance={instance} stored={model.stored} />
      <SaveBar model={model} />
      <LeaveDialog
        guard={model.guard}
        title="Leave these settings?"
        leaveLabel="Leave Without Saving"
        keepLabel="Keep Editing"
      >
        What you changed is not saved yet. If you leave now, it is lost.
      </LeaveDialog>
    </form>
  )
}

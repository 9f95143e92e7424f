import type { RefObject } from 'react'
import type { Instance } from '../../contract/instance.ts'
import { FROM_NAME_MAX, type Settings } from '../../contract/settings.ts'
import { CardBody } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Switch } from '../ui/switch.tsx'
import { EmailPreview } from './email-preview.tsx'
import { InboxAddressRows } from './inbox-address.tsx'
import { MailHabitsRows } from './mail-habits.tsx'
import { SettingsCard } from './settings-card.tsx'
import type { SettingsFormModel } from './use-settings-form.ts'

interface SenderCardProps {
  model: SettingsFormModel
  replyTo: RefObject<HTMLInputElement | null>
  instance: Instance
  stored: Settings
}

export function SenderCard({ model, replyTo, instance, stored }: SenderCardProps) {
  const { form, dispatch } = model
  const hasOwnAccount = form.provider !== 'resend'
  const change = (fields: Partial<typeof form>) => dispatch({ kind: 'sender changed', fields })
  return (
    <SettingsCard of="sender">
      <CardBody className="grid gap-5">
        <div className="grid items-start gap-5 md:grid-cols-2">
          <Field label="Sender Name" hint="Recipients see it first.">
            {(control) => (
              <Input
                {...control}
                autoComplete="name"
                maxLength={FROM_NAME_MAX}
                value={form.fromName}
                onChange={(event) => change({ fromName: event.target.value })}
              />
            )}
          </Field>
          <Field label="Reply-To Email" hint="Replies arrive here.">
            {(control) => (
              <Input
                {...control}
                ref={replyTo}
                type="email"
                autoComplete="email"
                value={form.fromEmail}
                onChange={(event) => change({ fromEmail: event.target.value })}
              />
            )}
          </Field>
        </div>
        {hasOwnAccount && (
          <Switch
            label="Send from my own address"
            hint="Mail then leaves from the reply-to address itself. Your provider account must be allowed to send from it."
            checked={form.sendFromOwnAddress}
            onCheckedChange={(sendFromOwnAddress) => change({ sendFromOwnAddress })}
          />
        )}
        <EmailPreview
          name={form.fromName.trim()}
          replyTo={form.fromEmail.trim()}
          from={hasOwnAccount && form.sendFromOwnAddress ? form.fromEmail.trim() : instance.mailFrom}
        />
      </CardBody>
      <InboxAddressRows model={model} />
      <MailHabitsRows model={model} stored={stored} tracksOpens={instance.tracksOpens} />
    </SettingsCard>
  )
}

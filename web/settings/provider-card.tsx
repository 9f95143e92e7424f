import type { Settings } from '../../contract/settings.ts'
import { CardBody } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { CredentialTest } from './credential-test.tsx'
import { Credentials } from './credentials.tsx'
import { EventReports } from './event-reports.tsx'
import { PROVIDER_OPTIONS, PROVIDERS } from './providers.ts'
import { SettingsCard } from './settings-card.tsx'
import { reports } from './settings-form.ts'
import type { SettingsFormModel } from './use-settings-form.ts'

interface ProviderCardProps {
  model: SettingsFormModel
  stored: Settings
  isLocalMailbox: boolean
}

export function ProviderCard({ model, stored, isLocalMailbox }: ProviderCardProps) {
  const { form, dispatch } = model
  const { provider } = form
  const about =
    provider === 'resend' && isLocalMailbox
      ? 'Mail goes through this installation’s own account, at present a local mailbox.'
      : PROVIDERS[provider].about
  return (
    <SettingsCard of="provider">
      <CardBody className="grid gap-5">
        <Field label="Email Provider" hint={about}>
          {(control) => (
            <Select
              {...control}
              options={PROVIDER_OPTIONS}
              value={provider}
              onValueChange={(chosen) => dispatch({ kind: 'provider chosen', provider: chosen })}
            />
          )}
        </Field>
        <Credentials model={model} stored={stored} />
      </CardBody>
      <CredentialTest model={model} />
      {reports(provider) && <EventReports provider={provider} model={model} stored={stored} />}
    </SettingsCard>
  )
}

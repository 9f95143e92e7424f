import type { Settings } from '../../contract/settings.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { Field } from '../ui/field.tsx'
import { PlainInput } from './plain-input.tsx'
import { ReceivedMail } from './received-mail.tsx'
import { KEEP_STORED } from './secret-hint.ts'
import type { ReportingProvider } from './settings-form.ts'
import type { SettingsFormModel } from './use-settings-form.ts'

interface ReportText {
  /** Where the address goes, and what the provider gives in return. */
  steps: string
  keyLabel: string
  /** What it looks like, until one is stored. */
  keyHint: string
  /** Where several can be stored, those that are not entered again are gone. */
  storedHint: string
}

const TEXTS: Record<ReportingProvider, ReportText> = {
  sendgrid: {
    steps:
      'In SendGrid, paste it under Settings → Mail Settings → Event Webhook and switch on signed events. Then paste the verification key that it shows into the field below.',
    keyLabel: 'Verification Key',
    keyHint: 'The public key of the signed event webhook; it begins with MFkw.',
    storedHint: `${KEEP_STORED} What you enter takes its place: enter every key that counts, separated by commas.`,
  },
  mailgun: {
    steps:
      'In Mailgun, paste it on the Webhooks page for every event you want counted. Then paste the HTTP webhook signing key of that page into the field below.',
    keyLabel: 'HTTP Webhook Signing Key',
    keyHint: 'Not the API key: the Webhooks page shows it.',
    storedHint: KEEP_STORED,
  },
  ses: {
    steps:
      'In AWS, make a configuration set with an SNS topic as its event destination and make it the default of your sending identity. Paste the ARN of the topic into the field below and save; then subscribe this URL to the topic over HTTPS. If AWS goes on showing that subscription as pending, request its confirmation there once more.',
    keyLabel: 'SNS Topic ARN',
    keyHint: 'It looks like arn:aws:sns:us-east-1:123456789012:events.',
    storedHint: `${KEEP_STORED} What you enter takes its place: enter the ARN of every topic that counts, separated by commas.`,
  },
}

interface EventReportsProps {
  provider: ReportingProvider
  model: SettingsFormModel
  stored: Settings
}

/** How the provider tells what became of each mail. The address exists once the provider is stored. */
export function EventReports({ provider, model, stored }: EventReportsProps) {
  const { steps, keyLabel, keyHint, storedHint } = TEXTS[provider]
  const url = stored.provider === provider ? stored.webhookUrl : null
  return (
    <section aria-labelledby="events-title" className="grid gap-5 border-line border-t p-5">
      <div className="grid gap-1">
        <h3 id="events-title" className="font-semibold">
          Delivery Events
        </h3>
        <p className="text-muted text-sm">
          {url
            ? stored.hasWebhookSigningKey
              ? 'Your provider reports deliveries, bounces and complaints to this address.'
              : `Your provider can report deliveries, bounces and complaints to this address. Until the ${keyLabel} is stored, its reports are refused.`
            : 'The address that your provider reports deliveries, bounces and complaints to appears here once these settings are saved.'}
        </p>
      </div>
      {url && (
        <>
          <CopyField label="Webhook URL" value={url} hint={steps} />
          <ReceivedMail provider={provider} url={stored.inboundUrl} />
          <Field label={keyLabel} hint={stored.hasWebhookSigningKey ? storedHint : keyHint}>
            {(control) => (
              <PlainInput
                {...control}
                value={model.signingKeys[provider]}
                onChange={(event) => model.dispatch({ kind: 'signing key typed', text: event.target.value })}
              />
            )}
          </Field>
        </>
      )}
    </section>
  )
}

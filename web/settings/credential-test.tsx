import { CircleAlert, CircleCheck } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from '../ui/button.tsx'
import { CardFooter } from '../ui/card.tsx'
import { isFilled } from './settings-form.ts'
import type { SettingsFormModel } from './use-settings-form.ts'

/** The button, and beside it what its last press found; a toast has said so aloud, this stays to be read. */
export function CredentialTest({ model }: { model: SettingsFormModel }) {
  const { form, verdict, isTesting, test } = model
  const resultId = useId()
  const lacksEmail = !isFilled(form.fromEmail)
  return (
    <CardFooter className="gap-x-4">
      <Button
        onClick={test}
        disabled={lacksEmail}
        pending={isTesting}
        pendingText="Testing..."
        aria-describedby={resultId}
      >
        Test Credentials
      </Button>
      <div id={resultId} className="min-w-0 grow basis-60 text-muted text-sm">
        {lacksEmail ? (
          'Enter a reply-to email below to test.'
        ) : (
          <Result verdict={verdict} isTesting={isTesting} isOwnAccount={form.provider !== 'resend'} />
        )}
      </div>
    </CardFooter>
  )
}

type ResultProps = Pick<SettingsFormModel, 'verdict' | 'isTesting'> & { isOwnAccount: boolean }

function Result({ verdict, isTesting, isOwnAccount }: ResultProps) {
  if (isTesting) return 'Asking the provider. This takes a few seconds.'
  if (verdict.kind === 'verified')
    return (
      <Line
        icon={<CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0" />}
        tone="text-delivered-text"
      >
        Verified.{verdict.note && <span className="text-soft"> {verdict.note}</span>}
      </Line>
    )
  if (verdict.kind === 'failed')
    return (
      <Line
        icon={<CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />}
        tone="text-failed-text"
      >
        {verdict.error}
      </Line>
    )
  return isOwnAccount ? 'Not tested yet.' : 'Needs no test before it is saved.'
}

function Line({ icon, tone, children }: { icon: ReactNode; tone: string; children: ReactNode }) {
  return (
    <p className={`flex items-start gap-1.5 ${tone}`}>
      {icon}
      <span className="wrap-anywhere min-w-0">{children}</span>
    </p>
  )
}

import { type ReactNode, useEffect, useState } from 'react'
import type { Delivery } from '../../contract/campaigns.ts'
import { Badge } from '../ui/badge.tsx'
import { STATE_NAMES, STATE_TONES } from '../ui/delivery-states.ts'
import { Dialog } from '../ui/dialog.tsx'
import { dateWords, inWords } from '../ui/words.ts'
import { happenedTo, timesOf } from './delivery-words.ts'

interface DeliveryDialogProps {
  /** As it stood in the list when it was opened; null when none is. */
  opened: Delivery | null
  /** What the list holds by now, in which it is looked up anew each time, so that it is live while it is open. */
  items: readonly Delivery[] | null
  onClose: () => void
  returnFocusTo: () => HTMLElement | null
}

/** Everything that is known of one recipient's copy; when it has left the list meanwhile, what was known last. */
export function DeliveryDialog({ opened, items, onClose, returnFocusTo }: DeliveryDialogProps) {
  const listed = (opened && items?.find(({ address }) => address === opened.address)) ?? null
  // Also kept while the dialog fades.
  const [known, setKnown] = useState(opened)
  useEffect(() => {
    if (listed) setKnown(listed)
  }, [listed])
  const isKnown = opened === null || known?.address === opened.address
  const current = listed ?? (isKnown ? known : opened)
  if (!current) return null
  return (
    <Dialog
      open={opened !== null}
      onOpenChange={(open) => !open && onClose()}
      title={current.address}
      returnFocusTo={returnFocusTo}
    >
      {opened && !listed && (
        <p role="status" className="mb-4 text-muted text-sm">
          It has left the list since then. This is how it stood last.
        </p>
      )}
      <dl className="grid gap-3 md:grid-cols-[8rem_minmax(0,1fr)]">
        <Line name="State">
          <Badge tone={STATE_TONES[current.state]}>{STATE_NAMES[current.state]}</Badge>
        </Line>
        <Line name="What happened">{happenedTo(current).words}</Line>
        <Line name="Attempts">{inWords(current.attempts)}</Line>
        {timesOf(current).map(({ name, at }) => (
          <Line key={name} name={name}>
            <time dateTime={at}>{dateWords(at)}</time>
          </Line>
        ))}
        <Line name="Message-ID">
          <span className="font-mono text-sm">{current.messageId}</span>
          <span className="block text-muted text-sm">
            As Postrider writes it. Resend, SendGrid, Mailgun and Amazon SES put their own in its place.
          </span>
        </Line>
        {current.providerId && (
          <Line name="Provider’s reference">
            <span className="font-mono text-sm">{current.providerId}</span>
          </Line>
        )}
      </dl>
    </Dialog>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="md:contents">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

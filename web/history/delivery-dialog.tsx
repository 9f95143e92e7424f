import { type ReactNode, useEffect, useState } from 'react'
import type { Delivery } from '../../contract/campaigns.ts'
import { Badge } from '../ui/badge.tsx'
import { STATE_NAMES, STATE_TONES } from '../ui/delivery-states.ts'
import { Dialog } from '../ui/dialog.tsx'
import { dateWords, inWords } from '../ui/words.ts'
import { happenedTo, timesOf } from './delivery-words.ts'

/** Everything that is known of one recipient's copy. */
export function DeliveryDialog({ delivery, onClose }: { delivery: Delivery | null; onClose: () => void }) {
  // Kept while the dialog fades, and when the list it came from has moved on.
  const [shown, setShown] = useState(delivery)
  useEffect(() => {
    if (delivery) setShown(delivery)
  }, [delivery])
  const current = delivery ?? shown
  if (!current) return null
  return (
    <Dialog open={delivery !== null} onOpenChange={(open) => !open && onClose()} title={current.address}>
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
        </Line>
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

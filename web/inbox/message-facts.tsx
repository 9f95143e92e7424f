import { type ReactNode, useRef, useState } from 'react'
import type { InboxItem, InboxMessage } from '../../contract/inbox.ts'
import { focusNext } from '../ui/next-focus.ts'
import { dateWords } from '../ui/words.ts'
import { Ago } from './ago.tsx'
import { senderAddress, senderName, shownRecipient } from './shown-text.ts'

/** More names than anyone reads. */
const SHOWN = 5
/** A mail that says it was written so long before or after it came is worth a word. */
const ODD_MS = 60 * 60_000

interface MessageFactsProps {
  /** As far as it is known: the list knows the most of it. */
  message: InboxItem & Partial<InboxMessage>
}

/** Who, to whom, when. The real address of the sender always stands beside the name, which anybody can choose. */
export function MessageFacts({
  message: { from, to, cc = [], timestamp, sentDate = null },
}: MessageFactsProps) {
  const address = senderAddress(from)
  const isOdd = sentDate !== null && Math.abs(Date.parse(sentDate) - Date.parse(timestamp)) > ODD_MS
  return (
    <dl className="wrap-anywhere grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-sm">
      <Fact name="From">
        <bdi className="font-semibold">{senderName(from)}</bdi>
        {address !== null && (
          <>
            {' '}
            <bdi className="text-soft">&lt;{address}&gt;</bdi>
          </>
        )}
      </Fact>
      <Fact name="To">
        <Addresses of={to} />
      </Fact>
      {cc.length > 0 && (
        <Fact name="Cc">
          <Addresses of={cc} />
        </Fact>
      )}
      <Fact name="Date">
        <time dateTime={timestamp}>{dateWords(timestamp)}</time>
        <span className="text-muted">
          {' · '}
          <Ago date={timestamp} />
          {isOdd && ` · dated ${dateWords(sentDate)} by its sender`}
        </span>
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

function Addresses({ of }: { of: readonly { email: string }[] }) {
  const [isOpen, setIsOpen] = useState(false)
  const list = useRef<HTMLSpanElement>(null)
  if (of.length === 0) return <span className="text-muted">Nobody is named</span>
  const shown = isOpen ? of : of.slice(0, SHOWN)
  const more = of.length - shown.length
  return (
    <span ref={list} tabIndex={-1} className="outline-none">
      {shown.map(({ email }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same address may be named twice
        <span key={index}>
          {index > 0 && ', '}
          <bdi>{shownRecipient(email)}</bdi>
        </span>
      ))}
      {more > 0 && (
        <button
          type="button"
          onClick={({ currentTarget }) => {
            // The button goes; the keyboard stays at what it has shown.
            focusNext(list, currentTarget)
            setIsOpen(true)
          }}
          className="-my-3 ml-1 min-w-11 rounded-sm py-3 font-medium text-muted underline underline-offset-4 hover:text-ink"
        >
          +{more} more
        </button>
      )}
    </span>
  )
}

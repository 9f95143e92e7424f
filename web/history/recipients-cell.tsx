import { inWords } from '../ui/words.ts'

/** The first, and how many more; the count is never cut off, whatever the address. */
export function RecipientsCell({ recipients, count }: { recipients: readonly string[]; count: number }) {
  const [first = ''] = recipients
  return (
    <span className="flex min-w-0 items-baseline gap-1.5 text-sm">
      <span className="truncate">{first}</span>
      {count > 1 && <span className="shrink-0 text-muted">+{inWords(count - 1)} more</span>}
    </span>
  )
}

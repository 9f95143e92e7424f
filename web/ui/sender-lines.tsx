interface SenderLinesProps {
  name: string
  /** The address that mail leaves from. */
  from: string
  replyTo: string
}

/** Who a mail comes from and where replies go, as its recipients see it. */
export function SenderLines({ name, from, replyTo }: SenderLinesProps) {
  return (
    <dl className="wrap-anywhere grid min-w-0 grow gap-0.5">
      <div>
        <dt className="inline text-muted">From: </dt>
        <dd className="inline">
          <bdi className="font-semibold">{name}</bdi> <span className="text-soft">&lt;{from}&gt;</span>
        </dd>
      </div>
      <div>
        <dt className="inline text-muted">Replies to: </dt>
        <dd className="inline text-soft">{replyTo}</dd>
      </div>
    </dl>
  )
}

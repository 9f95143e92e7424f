import { Link } from 'wouter'
import type { HistoryEntry } from '../../contract/campaigns.ts'
import { Badge } from '../ui/badge.tsx'
import { fateOf } from '../ui/fate.ts'
import { FateBar } from '../ui/fate-bar.tsx'
import { progressWords } from './progress-words.ts'

export function RunningCampaign({ campaign }: { campaign: HistoryEntry }) {
  const { id, subject, counts, state } = campaign
  return (
    <li className="grid min-w-0 gap-0.5">
      <div className="flex min-w-0 items-center justify-between gap-3">
        <Link
          href={`/history/${encodeURIComponent(id)}`}
          title={subject}
          className="tap-6 flex min-w-11 items-center rounded-sm font-medium text-accent-text"
        >
          <bdi className="truncate text-left underline decoration-accent/40 underline-offset-4">
            {subject}
          </bdi>
        </Link>
        {state === 'paused' && <Badge tone="bounced">paused</Badge>}
      </div>
      <p className="text-muted text-sm">{progressWords(counts)}</p>
      <FateBar fate={fateOf(counts)} />
    </li>
  )
}

import { Link } from 'wouter'
import type { HistoryEntry } from '../../contract/campaigns.ts'
import { Badge } from '../ui/badge.tsx'
import { FateBar } from '../ui/fate-bar.tsx'
import { textLink } from '../ui/text-link.ts'
import { fateOf, progressWords } from './progress-words.ts'

export function RunningCampaign({ campaign }: { campaign: HistoryEntry }) {
  const { id, subject, counts, state } = campaign
  return (
    <li className="grid min-w-0 gap-1">
      <div className="flex min-w-0 items-center justify-between gap-3">
        <Link href={`/history/${encodeURIComponent(id)}`} className={`${textLink} truncate`} title={subject}>
          {subject}
        </Link>
        {state === 'paused' && <Badge tone="bounced">paused</Badge>}
      </div>
      <p className="text-muted text-sm">{progressWords(counts)}</p>
      <FateBar fate={fateOf(counts)} />
    </li>
  )
}

import { Reply } from 'lucide-react'
import { Link } from 'wouter'
import type { CampaignDetail } from '../../contract/campaigns.ts'
import { textLink } from '../ui/text-link.ts'
import { counted, inWords } from '../ui/words.ts'

/** How many have answered, and the way to what they wrote. */
export function CampaignReplies({ campaign: { id, replies } }: { campaign: CampaignDetail }) {
  if (replies.all === 0) return null
  return (
    <p className="flex items-center gap-1.5 text-muted">
      <Reply aria-hidden="true" className="size-4 shrink-0" />
      <span>
        <Link href={`/inbox?campaign=${id}`} className={textLink}>
          {counted(replies.all, 'reply', 'replies')}
        </Link>
        {replies.automatic > 0 && `, ${inWords(replies.automatic)} automatic`}
      </span>
    </p>
  )
}

import { BellRing, type LucideIcon, Reply, Send } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { type FocusRelay, useFocusRelay } from './use-focus-relay.ts'

const GAINS: readonly { icon: LucideIcon; text: string }[] = [
  { icon: Send, text: 'Start, watch and pause campaigns' },
  { icon: BellRing, text: 'Get alerts when one needs you' },
  { icon: Reply, text: 'Answer the replies that come in' },
]

interface TelegramStartProps {
  bot: string
  relay: FocusRelay
  isGenerating: boolean
  onGenerate: () => void
}

/** What one gets for linking an account, and the way to it. */
export function TelegramStart({ bot, relay, isGenerating, onGenerate }: TelegramStartProps) {
  const view = useRef<HTMLDivElement>(null)
  useFocusRelay(relay, { view, landing: 'button' })
  return (
    <div ref={view} className="grid justify-items-start gap-4">
      <div className="grid gap-3">
        <p>Link your Telegram account, and from your chat with {bot} you can:</p>
        <ul className="grid gap-2 text-soft">
          {GAINS.map(({ icon: Icon, text }) => (
            <li key={text} className="flex gap-3">
              <Icon aria-hidden="true" className="mt-0.75 size-4 shrink-0 text-muted" />
              {text}
            </li>
          ))}
        </ul>
      </div>
      <Button pending={isGenerating} pendingText="Generating..." onClick={onGenerate}>
        Generate Link Code
      </Button>
    </div>
  )
}

import type { ReactNode } from 'react'
import { Card, CardHeader } from '../ui/card.tsx'

const HEADS = {
  provider: {
    title: 'Email Provider Configuration',
    description: 'The account that your mail goes out through',
  },
  sender: {
    title: 'Sender Information',
    description: 'Who your recipients see, and where their replies go',
  },
  telegram: {
    title: 'Telegram Bot Integration',
    description: 'Follow and steer your campaigns from a chat',
  },
} as const

interface SettingsCardProps {
  of: keyof typeof HEADS
  children: ReactNode
}

/** A region named after its title. The head is known before the settings are, so it stands there from the start. */
export function SettingsCard({ of, children }: SettingsCardProps) {
  const titleId = `${of}-title`
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader id={titleId} {...HEADS[of]} />
      {children}
    </Card>
  )
}

import { Send, Trash2 } from 'lucide-react'
import { Avatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button, type ButtonVariant } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { Row, Section } from './section.tsx'

const variants: readonly ButtonVariant[] = ['primary', 'secondary', 'ghost', 'danger']

export function ButtonsSection() {
  return (
    <Section title="Buttons and badges">
      {variants.map((variant) => (
        <Row key={variant} name={variant}>
          <Button variant={variant}>Send email</Button>
          <Button variant={variant}>
            <Send aria-hidden="true" className="size-4" /> With icon
          </Button>
          <Button variant={variant} disabled>
            Disabled
          </Button>
          <Button variant={variant} pending pendingText="Sending...">
            Send
          </Button>
          <Button variant={variant} size="sm">
            Small
          </Button>
          <Button variant={variant} size="lg">
            Large
          </Button>
          <Button variant={variant} size="icon" aria-label={`Delete (${variant})`}>
            <Trash2 aria-hidden="true" className="size-4" />
          </Button>
          <Button variant={variant} asChild>
            <a href="#data">Go to the data</a>
          </Button>
        </Row>
      ))}
      <Row name="Badge">
        <Badge tone="delivered">Delivered</Badge>
        <Badge tone="bounced">Bounced</Badge>
        <Badge tone="failed">Failed</Badge>
        <Badge tone="pending">Pending</Badge>
        <Badge tone="opened">Opened</Badge>
        <Badge tone="unconfirmed">Unconfirmed</Badge>
        <Badge tone="cancelled">Cancelled</Badge>
        <Badge tone="leftOut">Left out</Badge>
        <Badge tone="unsubscribed">Unsubscribed</Badge>
      </Row>
      <Row name="Avatar, spinner">
        <Avatar name="Anna Keller" />
        <Avatar name="jo@example.com" />
        <Avatar name="" />
        <Spinner />
        <Spinner className="size-7" label="Loading" />
      </Row>
    </Section>
  )
}

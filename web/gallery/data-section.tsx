import { MoreHorizontal } from 'lucide-react'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardFooter, CardHeader } from '../ui/card.tsx'
import { FateBar } from '../ui/fate-bar.tsx'
import { Progress } from '../ui/progress.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Table, TableCell, TableRow } from '../ui/table.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Row, Section } from './section.tsx'

const columns = [
  { title: 'Subject' },
  { title: 'Sent Date' },
  { title: 'Recipients', align: 'end' },
  { title: 'Status' },
  { title: 'Actions', hidden: true },
] as const

const rows = [
  {
    subject: 'The autumn letter',
    date: '11/12/2026, 09:30 AM',
    count: '5,000',
    tone: 'pending',
    status: 'pending',
  },
  { subject: 'Your invoice', date: '11/11/2026, 04:05 PM', count: '1', tone: 'delivered', status: 'sent' },
  {
    subject: 'A subject that is longer than most people write',
    date: '11/09/2026, 08:00 AM',
    count: '312',
    tone: 'failed',
    status: 'failed',
  },
] as const

export function DataSection() {
  return (
    <Section title="Data">
      <div className="grid gap-5 md:grid-cols-2">
        <Card aria-label="Progress specimen">
          <CardHeader
            title="The autumn letter"
            description="Started 4 minutes ago"
            action={<Badge tone="pending">Sending</Badge>}
          />
          <CardBody className="grid gap-5">
            <Progress label="Sending" value={1204} max={5000} words="1,204 of 5,000 accepted · 3 failed" />
            <FateBar fate={{ accepted: 1204, failed: 3, unconfirmed: 12, waiting: 3781 }} />
            <FateBar fate={{ accepted: 0, failed: 0, unconfirmed: 0, waiting: 0 }} />
          </CardBody>
          <CardFooter>
            <Button size="sm">Pause</Button>
            <Button size="sm" variant="ghost">
              Cancel the rest
            </Button>
          </CardFooter>
        </Card>
        <Card aria-label="Skeleton specimen">
          <CardBody className="grid gap-3">
            <Skeleton className="h-5 w-40" />
            <Skeleton className="h-4 w-full" />
            <Skeleton className="h-4 w-3/4" />
          </CardBody>
        </Card>
      </div>
      <Card aria-label="Table specimen">
        <Table label="Specimen of sent emails" columns={columns}>
          {rows.map((row) => (
            <TableRow key={row.subject}>
              <TableCell className="font-medium">{row.subject}</TableCell>
              <TableCell label="Sent Date">{row.date}</TableCell>
              <TableCell label="Recipients" align="end">
                {row.count}
              </TableCell>
              <TableCell label="Status">
                <Badge tone={row.tone}>{row.status}</Badge>
              </TableCell>
              <TableCell align="end">
                <Button variant="ghost" size="icon" aria-label={`Actions for ${row.subject}`}>
                  <MoreHorizontal aria-hidden="true" className="size-4" />
                </Button>
              </TableCell>
            </TableRow>
          ))}
        </Table>
      </Card>
      <Row name="QR code">
        <QrCode text="https://example.com" label="QR code that opens example.com" className="size-32" />
      </Row>
      <Tabs
        label="Views"
        items={[
          { value: 'all', label: 'All', content: 'Everyone on the list.' },
          { value: 'failed', label: 'Failed', content: 'Those who got nothing, each with the reason.' },
          { value: 'unconfirmed', label: 'Unconfirmed', content: 'Those of whom nobody can say.' },
        ]}
      />
    </Section>
  )
}

import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { CampaignDetail, Delivery } from '../../contract/campaigns.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classes } from '../ui/classes.ts'
import { LoadFailure } from '../ui/load-failure.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { useQueryString } from '../ui/use-query-string.ts'
import { useTyped } from '../ui/use-typed.ts'
import { ADDRESS_MAX, choicesFor, readShown, type ShownDeliveries, writeShown } from './deliveries-filter.ts'
import { DeliveriesSkeleton } from './deliveries-skeleton.tsx'
import { DeliveriesTable } from './deliveries-table.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { StateFilter } from './state-filter.tsx'
import { useDeliveries } from './use-deliveries.ts'

export const DELIVERIES_HEADING = 'deliveries-heading'

/** Who got it and who did not, by state; the choice is in the page's address. */
export function DeliveriesCard({ campaign }: { campaign: CampaignDetail }) {
  const search = useQueryString()
  const [, navigate] = useLocation()
  const shown = useMemo(() => readShown(search), [search])
  const apply = (next: ShownDeliveries) =>
    navigate(`/history/${campaign.id}${writeShown(next)}`, { replace: true })
  const [typed, setTyped] = useTyped(shown.q, (q) => apply({ ...shown, q }))
  const choices = choicesFor(campaign.counts, shown.state)
  const total = choices.find(({ state }) => state === shown.state)?.count ?? 0
  return (
    <Card aria-labelledby={DELIVERIES_HEADING} className="overflow-clip">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 pt-4 pb-3">
        <h2 id={DELIVERIES_HEADING} tabIndex={-1} className="scroll-mt-18 font-semibold text-lg outline-none">
          Deliveries
        </h2>
        <SearchInput
          label="Search deliveries by address"
          placeholder="Search addresses..."
          value={typed}
          onValueChange={setTyped}
          maxLength={ADDRESS_MAX}
          className="w-full md:w-72"
        />
      </header>
      <StateFilter choices={choices} chosen={shown.state} onChoose={(state) => apply({ state, q: typed })} />
      <DeliveriesList
        campaign={campaign}
        shown={shown}
        total={shown.q.trim() === '' ? total : null}
        onClear={() => {
          setTyped('')
          apply({ state: null, q: '' })
        }}
      />
    </Card>
  )
}

interface DeliveriesListProps {
  campaign: CampaignDetail
  shown: ShownDeliveries
  total: number | null
  onClear: () => void
}

function DeliveriesList({ campaign, shown, total, onClear }: DeliveriesListProps) {
  const list = useDeliveries(campaign, shown)
  const [opened, setOpened] = useState<Delivery | null>(null)
  return (
    <>
      <ListedDeliveries list={list} shown={shown} total={total} onClear={onClear} onOpen={setOpened} />
      <DeliveryDialog
        opened={opened}
        items={list.items}
        onClose={() => setOpened(null)}
        returnFocusTo={toHeading}
      />
    </>
  )
}

const toHeading = (): HTMLElement | null => document.getElementById(DELIVERIES_HEADING)

interface ListedDeliveriesProps extends Omit<DeliveriesListProps, 'campaign'> {
  list: ReturnType<typeof useDeliveries>
  onOpen: (delivery: Delivery) => void
}

function ListedDeliveries({ list, shown, total, onClear, onOpen }: ListedDeliveriesProps) {
  if (list.items === null) {
    if (list.failure === null) return <DeliveriesSkeleton />
    return (
      <div className="p-5">
        <LoadFailure
          title="The deliveries could not be loaded"
          reason={list.failure}
          isRetrying={list.isFetching}
          onRetry={list.retry}
        />
      </div>
    )
  }
  if (list.items.length === 0)
    return (
      <div role="status" className="flex flex-wrap items-center justify-between gap-3 px-5 py-8">
        <p className="text-muted">
          {shown.q.trim() === '' ? 'Nobody is in this state.' : 'No address here matches that.'}
        </p>
        <Button onClick={onClear} returnFocusTo={toHeading}>
          Show all deliveries
        </Button>
      </div>
    )
  return (
    <div
      aria-busy={list.isOutdated}
      className={classes('transition-opacity', list.isOutdated && 'opacity-60')}
    >
      {list.needsRefresh && (
        <div
          role="status"
          className="flex flex-wrap items-center justify-between gap-3 border-line border-b bg-sunken px-5 py-2"
        >
          <p className="text-soft text-sm">The campaign has moved on since this list was loaded.</p>
          <Button size="sm" onClick={list.refresh} returnFocusTo={toHeading}>
            Refresh
          </Button>
        </div>
      )}
      <DeliveriesTable items={list.items} total={total} onOpen={onOpen} />
      <LoadMore {...list.end} />
    </div>
  )
}

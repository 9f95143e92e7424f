import { useQuery } from '@tanstack/react-query'
import type { CampaignDetail, DeliveriesPage } from '../../contract/campaigns.ts'
import { deliveriesKey, HISTORY } from '../api/campaigns.ts'
import { apiRequest, messageOf } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogClose } from '../ui/dialog.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { counted, inWords } from '../ui/words.ts'
import { useCampaignAction } from './use-campaign-action.ts'

/** As many as one reads; the list on the page has them all. */
const NAMED = 10

interface UnconfirmedDialogProps {
  campaign: CampaignDetail
  open: boolean
  onOpenChange: (open: boolean) => void
  returnFocusTo: () => HTMLElement | null
}

/** Nobody is mailed a second time before the person who asks for it has seen who that may be. */
export function UnconfirmedDialog({ campaign, open, onOpenChange, returnFocusTo }: UnconfirmedDialogProps) {
  const { act, pending } = useCampaignAction(campaign.id)
  const { unknown } = campaign.counts
  const first = useQuery({ ...firstUnconfirmed(campaign.id), enabled: open })
  const addresses = first.data ?? null
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      returnFocusTo={returnFocusTo}
      title="Resend to unconfirmed?"
      description={
        unknown === 1
          ? 'This recipient may get this email twice.'
          : `Some of these ${inWords(unknown)} recipients may get this email twice.`
      }
      footer={
        <>
          <DialogClose asChild>
            <Button>Leave them</Button>
          </DialogClose>
          <Button
            variant="danger"
            disabled={addresses === null}
            pending={pending !== null}
            pendingText="Resending..."
            onClick={() => act('retry-unconfirmed', { onSettled: () => onOpenChange(false) })}
          >
            Resend to {inWords(unknown)}
          </Button>
        </>
      }
    >
      {first.error ? (
        <LoadFailure
          title="The addresses could not be loaded"
          reason={messageOf(first.error)}
          isRetrying={first.isFetching}
          onRetry={() => void first.refetch()}
        />
      ) : (
        <>
          <p className="text-soft">
            The mail may have arrived although nobody confirmed it. It is sent again to:
          </p>
          <ul aria-label="Unconfirmed recipients" className="mt-3 grid gap-1">
            {addresses
              ? addresses.map((address) => (
                  <li key={address} className="wrap-anywhere font-medium">
                    {address}
                  </li>
                ))
              : Array.from({ length: Math.min(NAMED, unknown) }, (_, index) => (
                  <li key={String(index)}>
                    <Skeleton className="h-5.5 w-56" />
                  </li>
                ))}
          </ul>
          {unknown > NAMED && (
            <p className="mt-1 text-muted">and {counted(unknown - NAMED, 'more', 'more')}</p>
          )}
        </>
      )}
    </Dialog>
  )
}

const firstUnconfirmed = (id: string) => ({
  // Beside the lists of deliveries, so that whatever makes those stale makes this stale as well.
  queryKey: [...deliveriesKey(id), 'first-unconfirmed'] as const,
  gcTime: 0,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const path = `${HISTORY}/${encodeURIComponent(id)}/deliveries?state=unknown&limit=${NAMED}`
    const response = await apiRequest('GET', path, undefined, { signal })
    return ((await response.json()) as DeliveriesPage).items.map(({ address }) => address)
  },
})

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { CampaignDetail, DeliveriesPage, ShownUnconfirmed } from '../../contract/campaigns.ts'
import { campaignKey, deliveriesKey, HISTORY } from '../api/campaigns.ts'
import { apiRequest, messageOf, readJson } from '../api/client.ts'
import { readAgain } from '../api/read-again.ts'
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
  const { resend, pending } = useCampaignAction(campaign.id)
  const { unknown } = campaign.counts
  const { first, addresses, shown } = useFirstUnconfirmed(campaign, open)
  return (
    <Dialog
      open={open}
      // While they are being mailed nobody can leave them any more.
      onOpenChange={(next) => {
        if (pending === null) onOpenChange(next)
      }}
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
            disabled={shown === null}
            pending={pending !== null}
            pendingText="Resending..."
            // Refused, it stays, and names who they are by now.
            onClick={() => shown && resend(shown, { onSuccess: () => onOpenChange(false) })}
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
            {addresses.map((address) => (
              <li key={address} className="wrap-anywhere font-medium">
                {address}
              </li>
            ))}
            {Array.from({ length: Math.max(0, namedOf(campaign) - addresses.length) }, (_, index) => (
              <li key={String(index)}>
                <Skeleton className="h-5.5 w-56" />
              </li>
            ))}
          </ul>
          {unknown > NAMED && (
            <p className="mt-1 text-muted">and {counted(unknown - NAMED, 'more', 'more')}</p>
          )}
          <p className="mt-3 text-soft">Whoever is on your suppression list is left out.</p>
        </>
      )}
    </Dialog>
  )
}

const namedOf = ({ counts }: CampaignDetail): number => Math.min(NAMED, counts.unknown)

/**
 * Who is named stands for a number, and is read again with it: whoever joins or leaves the unconfirmed while somebody
 * looks is in the list before the button can be pressed.
 */
function useFirstUnconfirmed(campaign: CampaignDetail, open: boolean) {
  const client = useQueryClient()
  const { id, counts } = campaign
  const first = useQuery({
    ...firstUnconfirmed(campaign, open ? counts.unknown : null),
    enabled: open,
    placeholderData: keepPreviousData,
  })
  const { data, isStale, isFetching, isError, isPlaceholderData, refetch } = first
  useEffect(() => {
    if (isStale && !isFetching && !isError) void refetch()
  }, [isStale, isFetching, isError, refetch])

  const isRead = data !== undefined && !isPlaceholderData && !isError
  const isComplete = isRead && data.addresses.length === namedOf(campaign)
  // The list knows of more or fewer than the page does.
  const isPageBehind = isRead && !isComplete && !isFetching
  useEffect(() => {
    if (isPageBehind) readAgain(client, { queryKey: campaignKey(id), exact: true })
  }, [client, id, isPageBehind])
  return { first, addresses: data?.addresses ?? [], shown: isComplete ? data.shown : null }
}

/** Of nobody (null) while the dialog is closed, so that each time it opens they are read anew. */
const firstUnconfirmed = ({ id, round, counts }: CampaignDetail, unknown: number | null) => ({
  // Beside the lists of deliveries, so that whatever makes those stale makes this stale as well.
  queryKey: [...deliveriesKey(id), 'first-unconfirmed', unknown] as const,
  gcTime: 0,
  // With how the campaign stood before they were read: as long as it stands so, they are the ones.
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<FirstUnconfirmed> => ({
    addresses: await namedFirst(id, signal),
    shown: { round, counts },
  }),
})

type FirstUnconfirmed = { addresses: string[]; shown: ShownUnconfirmed }

/** In a long list the server answers with those it has found by then, and where to look on. */
async function namedFirst(id: string, signal: AbortSignal): Promise<string[]> {
  const found: string[] = []
  let cursor: string | null = ''
  while (cursor !== null && found.length < NAMED) {
    const on = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const query = `state=unknown&limit=${NAMED - found.length}${on}`
    const path = `${HISTORY}/${encodeURIComponent(id)}/deliveries?${query}`
    const response = await apiRequest('GET', path, undefined, { signal })
    const page = (await readJson(response)) as DeliveriesPage
    found.push(...page.items.map(({ address }) => address))
    cursor = page.nextCursor
  }
  return found
}

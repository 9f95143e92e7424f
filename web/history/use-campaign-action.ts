import { type MutateOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CampaignDetail, ShownUnconfirmed } from '../../contract/campaigns.ts'
import { amend } from '../api/amend.ts'
import { noteInLists } from '../api/campaign-news.ts'
import {
  actOnCampaign,
  type CampaignAction,
  campaignKey,
  deliveriesKey,
  historyKey,
} from '../api/campaigns.ts'
import { messageOf } from '../api/client.ts'
import { readAgain } from '../api/read-again.ts'
import { toast } from '../ui/toast-store.ts'

const FAILED: Record<CampaignAction, string> = {
  pause: 'Failed to Pause',
  resume: 'Failed to Resume',
  cancel: 'Failed to Cancel',
  'retry-failed': 'Failed to Retry',
  'retry-unconfirmed': 'Failed to Resend',
}

type Act = { action: CampaignAction; shown?: ShownUnconfirmed }

/** Does something with a campaign. What came of it is seen where the campaign is shown; only a refusal is told. */
export function useCampaignAction(id: string) {
  const client = useQueryClient()
  const mutation = useMutation({
    // By this name news of the campaign finds that an answer is still to come.
    mutationKey: campaignKey(id),
    mutationFn: ({ action, ...request }: Act) => actOnCampaign(id, action, request),
    onSuccess: (campaign) => {
      amend(client, { queryKey: campaignKey(id), exact: true }, () => campaign)
      noteInLists(client, id, () => campaign)
      void client.invalidateQueries({ queryKey: deliveriesKey(id), refetchType: 'none' })
    },
    onError: (error, { action }) => {
      toast({
        title: FAILED[action],
        description: messageOf(error),
        variant: 'destructive',
      })
      // It stands differently from what the page showed, else the button would not have been there.
      readAgain(client, { queryKey: campaignKey(id) })
      readAgain(client, { queryKey: historyKey })
      void client.invalidateQueries({ queryKey: deliveriesKey(id), refetchType: 'none' })
    },
  })
  return {
    act: (action: CampaignAction, options?: MutateOptions<CampaignDetail, Error, Act>) =>
      mutation.mutate({ action }, options),
    resend: (shown: ShownUnconfirmed, options?: MutateOptions<CampaignDetail, Error, Act>) =>
      mutation.mutate({ action: 'retry-unconfirmed', shown }, options),
    /** What is under way. */
    pending: mutation.isPending ? mutation.variables.action : null,
  }
}

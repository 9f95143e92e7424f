import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError, messageOf } from '../api/client.ts'
import { fetchDraft } from '../api/drafts.ts'
import { LoadFailure } from '../ui/load-failure.tsx'
import { ComposeForm } from './compose-form.tsx'
import { ComposeSkeleton } from './compose-skeleton.tsx'
import type { SheetModel } from './use-sheet.ts'

/** The form, as soon as what it starts with is there. */
export function OpenedSheet({ model }: { model: SheetModel }) {
  return model.sheet.opens === 'draft' ? (
    <OpenedDraft model={model} />
  ) : (
    <ComposeForm model={model} initial={null} />
  )
}

function OpenedDraft({ model }: { model: SheetModel }) {
  const { sheet, startOver } = model
  const draft = useQuery({
    // Another sheet of the same draft is another reading: the one before it may still be there.
    queryKey: ['/api/drafts', 'opened', sheet.draftId, sheet.key],
    queryFn: () => fetchDraft(sheet.draftId),
    // Opened again it is read again: elsewhere it may have been written on. While it is open the form knows best.
    gcTime: 0,
    enabled: ({ state }) => state.data === undefined,
  })
  const isGone = draft.error instanceof ApiError && [400, 404].includes(draft.error.status)

  useEffect(() => {
    if (isGone) startOver('draft gone')
  })

  if (draft.data) return <ComposeForm model={model} initial={draft.data} />
  if (!draft.isError || isGone) return <ComposeSkeleton />
  return (
    <LoadFailure
      title="The draft could not be loaded"
      reason={messageOf(draft.error)}
      isRetrying={draft.isFetching}
      onRetry={() => void draft.refetch()}
    />
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FilePen, Trash2 } from 'lucide-react'
import { type FocusEvent, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { DRAFTS_MAX, type DraftSummary } from '../../contract/drafts.ts'
import { messageOf } from '../api/client.ts'
import { deleteDraft, draftsKey, draftsQuery, fetchDraft, saveDraft } from '../api/drafts.ts'
import { readAgain } from '../api/read-again.ts'
import { Button } from '../ui/button.tsx'
import { focusNext } from '../ui/next-focus.ts'
import { Popover } from '../ui/popover.tsx'
import { onFirstClick } from '../ui/press.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast-store.ts'
import { counted } from '../ui/words.ts'
import { doubtOf } from './doubt-memory.ts'
import { useDraftNews } from './draft-news.ts'
import { addressOf } from './use-sheet.ts'
import { age, doubtInShort } from './words.ts'

/** Nobody should find out by missing one. */
const ROOM = `The ${DRAFTS_MAX} newest are kept.`

/** Everything that was begun and not sent. */
export function DraftsMenu({ current }: { current: string | null }) {
  const [isOpen, setIsOpen] = useState(false)
  const client = useQueryClient()
  const drafts = useQuery(draftsQuery)
  const count = drafts.data?.length ?? 0
  return (
    <Popover
      open={isOpen}
      onOpenChange={(open) => {
        setIsOpen(open)
        // Another device may have written some.
        if (open) readAgain(client, draftsQuery)
      }}
      label="Drafts"
      className="w-88 max-w-[calc(100vw-1rem)] p-1"
      trigger={
        <Button>
          <FilePen aria-hidden="true" className="size-4 text-muted" />
          Drafts
          {count > 0 && <span className="text-muted">{count}</span>}
        </Button>
      }
    >
      {drafts.data ? (
        <DraftList drafts={drafts.data} current={current} onOpened={() => setIsOpen(false)} />
      ) : drafts.isError ? (
        <div className="grid justify-items-start gap-2 p-2.5">
          <p className="text-soft text-sm">{messageOf(drafts.error, 'Your drafts could not be loaded.')}</p>
          <Button
            size="sm"
            pending={drafts.isFetching}
            onClick={() => void drafts.refetch()}
            returnFocusTo="around"
          >
            Try again
          </Button>
        </div>
      ) : (
        <Skeleton className="h-14" />
      )}
    </Popover>
  )
}

interface DraftListProps {
  drafts: readonly DraftSummary[]
  current: string | null
  onOpened: () => void
}

function DraftList({ drafts, current, onOpened }: DraftListProps) {
  const remove = useRemoval()
  const focus = useFocusInPlace(drafts)
  if (drafts.length === 0)
    return (
      <p ref={focus.ref} className="p-2.5 text-muted text-sm">
        No drafts. What you write is kept here until it is sent. {ROOM}
      </p>
    )
  return (
    <>
      <ul {...focus} aria-label="Drafts" className="max-h-[60dvh] overflow-y-auto">
        {drafts.map((draft) => (
          <li key={draft.id} className="flex items-center">
            <Link
              href={addressOf(draft.templateId, draft.id)}
              onClick={onOpened}
              aria-current={draft.id === current || undefined}
              className="grid min-h-11 min-w-0 grow rounded-sm px-2.5 py-1.5 -outline-offset-2 hover:bg-hover"
            >
              <bdi className="truncate text-left font-medium">{draft.subject.trim() || 'No subject'}</bdi>
              <SentBefore draftId={draft.id} />
              <span className="truncate text-muted text-sm">
                {[
                  draft.id === current && 'Open now',
                  counted(draft.recipientCount, 'recipient'),
                  age(Date.parse(draft.updatedAt), Date.now()),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </Link>
            <Button
              variant="ghost"
              size="icon"
              className="-outline-offset-2"
              aria-label={`Delete the draft ${draft.subject.trim() || 'without a subject'}`}
              // The second click of two is meant for this draft, and would meet the next.
              onClick={onFirstClick(() => void remove(draft))}
            >
              <Trash2 aria-hidden="true" className="size-4" />
            </Button>
          </li>
        ))}
      </ul>
      <p className="px-2.5 pt-2 pb-1 text-muted text-sm">{ROOM}</p>
    </>
  )
}

/** What was sent, or may have been, is not like what was only begun. */
function SentBefore({ draftId }: { draftId: string }) {
  const doubt = doubtOf(draftId)
  if (!doubt) return null
  const words = doubtInShort[doubt]
  return <span className="text-sm">{`${words[0]?.toUpperCase()}${words.slice(1)}`}</span>
}

/**
 * Rows go when the list is read again, several at once where somebody was quick, and the keyboard with them: it goes on
 * at the one that stands in their place.
 */
function useFocusInPlace(drafts: readonly DraftSummary[]) {
  const list = useRef<HTMLElement>(null)
  const place = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (place.current === null || document.activeElement !== document.body) return
    const buttons = list.current?.querySelectorAll('button') ?? []
    const next = buttons[Math.min(place.current, drafts.length - 1)]
    focusNext(() => next ?? null, list.current)
  }, [drafts])
  return {
    ref: (element: HTMLElement | null) => {
      list.current = element
    },
    onFocus: ({ target, currentTarget }: FocusEvent) => {
      place.current = [...currentTarget.children].findIndex((row) => row.contains(target))
    },
  }
}

/** Deletes at once, and once; the toast can bring it back. */
function useRemoval(): (draft: DraftSummary) => Promise<void> {
  const client = useQueryClient()
  const underWay = useRef(new Set<string>())
  const tell = useDraftNews(() => {})
  const listChanged = () => client.invalidateQueries({ queryKey: draftsKey })
  const undo = async (
    id: string,
    { id: _, updatedAt: __, ...content }: Awaited<ReturnType<typeof fetchDraft>>,
  ) => {
    await saveDraft(id, content).catch((error: unknown) => {
      toast({
        title: 'The draft is not back',
        description: messageOf(error, 'It could not be saved again.'),
        variant: 'destructive',
      })
    })
    await listChanged()
  }
  return async ({ id, subject }) => {
    if (underWay.current.has(id)) return
    underWay.current.add(id)
    try {
      const kept = await fetchDraft(id)
      await deleteDraft(id)
      tell({ kind: 'deleted', draftId: id })
      toast({
        title: 'Draft Deleted',
        description: subject.trim() || 'No subject',
        action: { label: 'Undo', onSelect: () => void undo(id, kept) },
      })
    } catch (error) {
      toast({
        title: 'Draft Not Deleted',
        description: messageOf(error, 'The draft could not be deleted.'),
        variant: 'destructive',
      })
    }
    await listChanged()
    underWay.current.delete(id)
  }
}

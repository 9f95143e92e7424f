import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useParams, useSearch } from 'wouter'
import { randomId } from '../ui/random-id.ts'
import { passingGuard } from '../ui/use-leave-guard.ts'
import { waitingResend } from './resend-entry.ts'

type Opens = 'blank' | 'template' | 'draft' | 'resend'

/** One email being written. Another key is another email. */
export interface Sheet {
  key: number
  draftId: string
  templateId: string | undefined
  opens: Opens
  /** What became of the draft that the address named. */
  notice: 'draft gone' | null
}

export const addressOf = (templateId: string | null | undefined, draftId: string | null): string =>
  `/compose${templateId ? `/${encodeURIComponent(templateId)}` : ''}${draftId ? `?draft=${draftId}` : ''}`

/** Undefined where the browser does not tell; there nothing is held up either. */
const entryKey = (): string | undefined => window.navigation?.currentEntry?.key

function begin(key: number, templateId: string | undefined, draftId: string | null): Sheet {
  const opens = waitingResend() ? 'resend' : draftId ? 'draft' : templateId ? 'template' : 'blank'
  const isOpened = opens === 'draft' && draftId
  return { key, templateId, opens, draftId: isOpened ? draftId : randomId(), notice: null }
}

/**
 * The email that the address names. Once it is saved the address carries its draft, so that a reload, a bookmark and
 * the way back lead to it again; `/compose` alone, as in the sidebar, is always a new one.
 */
export function useSheet() {
  const { templateId } = useParams<{ templateId?: string }>()
  const draft = new URLSearchParams(useSearch()).get('draft')
  const [, navigate] = useLocation()
  const address = addressOf(templateId, draft)
  const [sheet, setSheet] = useState(() => begin(0, templateId, draft))
  /** What this screen has written into the address itself is no wish for another email. */
  const own = useRef(address)

  useLayoutEffect(() => {
    if (own.current === address) return
    own.current = address
    setSheet(({ key }) => begin(key + 1, templateId, draft))
  }, [address, templateId, draft])

  // An email to resend has no address of its own before it is a draft: whoever asks for `/compose` at it wants another.
  const hasNoAddress = sheet.opens === 'resend' && draft === null
  useEffect(() => {
    if (!hasNoAddress) return
    let known = entryKey()
    const askedFor = () => {
      const now = entryKey()
      // A way out that is held up has changed nothing: whether it is gone is being asked.
      const isHeldUp = now !== undefined && now === known
      if (isHeldUp || location.pathname + location.search !== own.current) return
      known = now
      setSheet(({ key }) => begin(key + 1, undefined, null))
    }
    window.addEventListener('pushState', askedFor)
    return () => window.removeEventListener('pushState', askedFor)
  }, [hasNoAddress])

  const write = (next: string) => {
    if (next === own.current) return
    own.current = next
    passingGuard(() => navigate(next, { replace: true }))
  }

  return {
    sheet,
    /** The draft that the address names: what is on show, also where that goes on under another id than it was opened by. */
    draft,
    /** The draft exists now, or exists no more. */
    showDraft: (draftId: string | null) => write(addressOf(sheet.templateId, draftId)),
    /** The email is sent: what follows has nothing to do with its template, its draft, and what it was to send again. */
    finish: () => {
      setSheet(({ opens, ...current }) => ({
        ...current,
        templateId: undefined,
        opens: opens === 'resend' ? 'blank' : opens,
        notice: null,
      }))
      write(addressOf(undefined, null))
    },
    startOver: (notice: Sheet['notice'] = null) => {
      setSheet(({ key }) => ({ ...begin(key + 1, undefined, null), notice }))
      write(addressOf(undefined, null))
    },
  }
}

export type SheetModel = ReturnType<typeof useSheet>

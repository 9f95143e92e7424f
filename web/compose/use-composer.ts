import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { messageOf } from '../api/client.ts'
import { deleteDraft, draftsQuery, fetchDraft, saveDraft } from '../api/drafts.ts'
import { readAgain } from '../api/read-again.ts'
import { useSettings } from '../api/settings.ts'
import { randomId } from '../ui/random-id.ts'
import { type DraftNews, TAB, useDraftNews } from './draft-news.ts'
import { DraftSaver } from './draft-saver.ts'
import { BLANK_LETTER, type Content, type Letter, letterOf } from './letter.ts'
import type { Recipient } from './recipient-address.ts'
import { type Added, RecipientList } from './recipient-list.ts'
import { useLeftOut } from './use-left-out.ts'
import { useLetter, useSenderPrefill } from './use-letter.ts'
import type { SheetModel } from './use-sheet.ts'

const NOBODY: Added = { added: 0, duplicates: 0, leftOut: 0 }
const NOT_SAVED = 'The draft could not be saved'

/** One email while it is written: whom it goes to, what it says, and the draft that keeps both. */
export function useComposer({ sheet, showDraft, startOver }: SheetModel, initial: Content | null) {
  const client = useQueryClient()
  const [list] = useState(() => new RecipientList())
  const letterModel = useLetter(letterOf(initial ?? BLANK_LETTER))
  const { latest, change, replace, clear, letter } = letterModel
  const settings = useSettings()
  // What is just being read again may be about to change, and it prefills once.
  useSenderPrefill(letterModel, settings.isFetching ? undefined : settings.data)

  const listChanged = () => readAgain(client, draftsQuery)
  const begunWith = useRef(sheet.templateId)
  begunWith.current = sheet.templateId
  const [saver] = useState(() => {
    const sheetOf = (draftId: string, isStored: boolean) => ({
      draftId,
      isStored,
      read: (): Content => ({ ...latest.current, recipients: list.texts() }),
      isReady: () => !list.view().isReading,
    })
    const made = new DraftSaver(
      {
        save: (id, content) => saveDraft(id, { ...content, templateId: begunWith.current ?? null }),
        remove: deleteDraft,
        wordsOf: (error) => messageOf(error, NOT_SAVED),
        onSaved: (draftId, basedOn) => {
          listChanged()
          events.current.saved(draftId, basedOn)
        },
        onRemoved: (draftId) => {
          listChanged()
          events.current.removed(draftId)
        },
      },
      sheetOf(sheet.draftId, sheet.opens === 'draft'),
    )
    return Object.assign(made, { sheetOf })
  })

  const isMounted = useRef(false)
  /** True at once, unlike what is drawn: two clicks can come before the first has been. */
  const isSending = useRef(false)
  const tell = useDraftNews((news) => void hear(news))
  const events = useRef({ saved: (_: string, __: number) => {}, removed: (_: string) => {} })
  events.current = {
    saved: (draftId, basedOn) => {
      tell({ kind: 'saved', draftId, basedOn, tab: TAB })
      if (isMounted.current && draftId === saver.draftId) showDraft(draftId)
    },
    removed: (draftId) => {
      tell({ kind: 'gone', draftId })
      if (isMounted.current && draftId === saver.draftId) showDraft(null)
    },
  }

  /**
   * The same draft in another tab. This one follows what is written there. Where both were written on, nothing of
   * either is lost: one keeps the draft and saves it again, the other goes on under another id.
   */
  const hear = async (news: DraftNews) => {
    const { draftId } = news
    if (draftId !== saver.draftId) return
    if (news.kind === 'gone') return saver.isSafe() ? startOver('draft gone') : saver.fork(randomId())
    if (saver.isConflict(news.basedOn)) return TAB < news.tab ? saver.touch() : saver.fork(randomId())
    const at = Date.now()
    const stored = await fetchDraft(draftId).catch(() => null)
    if (!stored || draftId !== saver.draftId || !saver.isSafe()) return
    saver.followed(at)
    replace(letterOf(stored))
    list.clear()
    await list.read(stored.recipients)
  }

  useEffect(() => {
    isMounted.current = true
    saver.open()
    const online = () => void saver.flush()
    window.addEventListener('online', online)
    return () => {
      isMounted.current = false
      window.removeEventListener('online', online)
      saver.close()
    }
  }, [saver])

  useEffect(() => {
    if (!initial) return
    // Also when the effect runs twice, as in development: the second time everybody is there already.
    list.clear()
    void list.read(initial.recipients)
  }, [list, initial])

  const touchIf = (result: Added): Added => {
    if (result.added > 0) saver.touch()
    return result
  }

  const recipients = useSyncExternalStore(list.subscribe, list.view)
  return {
    list,
    recipients,
    ...useLeftOut(recipients),
    letter,
    latest,
    settings,
    saver,
    saveState: useSyncExternalStore(saver.subscribe, saver.state),
    tell,
    isMounted,
    isSending,
    write: (fields: Partial<Letter>) => {
      change(fields)
      saver.touch()
    },
    /** Not by hand: a template, a resend. Whoever only looks at it makes no draft. */
    fill: change,
    fillRecipients: async (entries: Iterable<string> | Promise<Iterable<string>>): Promise<void> => {
      const result = await list.read(entries)
      if (saver.isBegun()) touchIf(result)
    },
    /** What is on its way goes to those who were named: nobody joins or leaves them any more. */
    addRecipients: (entries: Iterable<string>): Added =>
      isSending.current ? NOBODY : touchIf(list.add(entries)),
    readRecipients: async (entries: Iterable<string> | Promise<Iterable<string>>): Promise<Added> =>
      isSending.current ? NOBODY : touchIf(await list.read(entries)),
    removeRecipients: (recipients: readonly Recipient[]) => {
      if (isSending.current) return
      list.remove(new Set(recipients))
      saver.touch()
    },
    /** The draft's id belongs to what was sent under it; what is here now becomes another email. */
    goOnAsAnother: async () => {
      const { draftId: sent } = saver
      saver.fork(randomId())
      // Not before it is safe under its new id.
      if (!(await saver.flush())) return
      await deleteDraft(sent).catch(() => {})
      listChanged()
      events.current.removed(sent)
    },
    clear: () => {
      list.clear()
      clear()
      saver.startOver(saver.sheetOf(randomId(), false))
    },
  }
}

export type Composer = ReturnType<typeof useComposer>

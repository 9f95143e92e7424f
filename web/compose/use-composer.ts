import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { messageOf } from '../api/client.ts'
import {
  deleteDraft,
  draftsQuery,
  fetchDraft,
  findDraft,
  isChangedElsewhere,
  saveDraft,
} from '../api/drafts.ts'
import { readAgain } from '../api/read-again.ts'
import type { SendDoubt } from '../api/send-doubt.ts'
import { useSettingsReadAnew } from '../api/settings.ts'
import { randomId } from '../ui/random-id.ts'
import { toast } from '../ui/toast-store.ts'
import { noteDoubt } from './doubt-memory.ts'
import { type DraftNews, useDraftNews } from './draft-news.ts'
import { DraftSaver } from './draft-saver.ts'
import { BLANK_LETTER, type Content, isBlank, type Letter, letterOf, type Stored } from './letter.ts'
import type { Recipient } from './recipient-address.ts'
import { type Added, RecipientList } from './recipient-list.ts'
import { useDoubt } from './use-doubt.ts'
import { useLeftOut } from './use-left-out.ts'
import { useLetter, useSenderPrefill } from './use-letter.ts'
import type { SheetModel } from './use-sheet.ts'
import { useTakenIn } from './use-taken-in.ts'

const NOBODY: Added = { added: 0, duplicates: 0, leftOut: 0 }
const NOT_SAVED = 'The draft could not be saved'
const KEPT_BESIDE = {
  title: 'Kept as Another Draft',
  description: 'This draft was changed elsewhere. What you write here is saved beside it.',
}
const NOT_DELETED = {
  title: 'Draft Not Deleted',
  description: 'It was changed elsewhere, and stays as it is there.',
}

/** One email while it is written: whom it goes to, what it says, and the draft that keeps both. */
export function useComposer({ sheet, showDraft, startOver }: SheetModel, initial: Stored | null) {
  const client = useQueryClient()
  const [list] = useState(() => new RecipientList())
  const letterModel = useLetter(letterOf(initial ?? BLANK_LETTER))
  const { latest, change, replace, clear, letter } = letterModel
  const settings = useSettingsReadAnew()
  // It prefills once, and the letter goes out with it: not what is read again just now, nor what could not be.
  const isCurrent = settings.isFetchedAfterMount && settings.isSuccess && !settings.isFetching
  useSenderPrefill(letterModel, isCurrent ? settings.data : undefined)

  const listChanged = () => readAgain(client, draftsQuery)
  const read = (): Content => ({ ...latest.current, recipients: list.texts() })
  const begunWith = useRef(sheet.templateId)
  begunWith.current = sheet.templateId
  const [saver] = useState(() => {
    const sheetOf = (draftId: string, base: string | null) => ({
      draftId,
      base,
      read,
      isReady: () => !list.view().isReading,
    })
    const made = new DraftSaver(
      {
        save: (id, content, basedOn) =>
          saveDraft(id, { ...content, templateId: begunWith.current ?? null, basedOn }),
        isChangedElsewhere,
        read: findDraft,
        giveWay: () => events.current.giveWay(),
        remove: deleteDraft,
        wordsOf: (error) => messageOf(error, NOT_SAVED),
        onSaved: (draftId) => {
          listChanged()
          events.current.saved(draftId)
        },
        onRemoved: (draftId) => {
          listChanged()
          events.current.removed(draftId)
        },
      },
      sheetOf(sheet.draftId, initial?.updatedAt ?? null),
    )
    return Object.assign(made, { sheetOf })
  })

  const takenIn = useTakenIn(list, saver)
  const { takeIn, isReading, allRead } = takenIn

  const isMounted = useRef(false)
  /** True at once, unlike what is drawn: two clicks can come before the first has been. */
  const isSending = useRef(false)
  const heardLate = useRef<DraftNews[]>([])
  /** The drafts that this email was before it went on under another id. */
  const formerly = useRef(new Set<string>())
  const doubt = useDoubt(saver)
  const tell = useDraftNews((news) => void hear(news))
  const events = useRef({ saved: (_: string) => {}, removed: (_: string) => {}, giveWay: () => {} })
  events.current = {
    saved: (draftId) => {
      tell({ kind: 'saved', draftId })
      if (isMounted.current && draftId === saver.draftId) showDraft(draftId)
    },
    removed: (draftId) => {
      tell({ kind: 'deleted', draftId })
      if (isMounted.current && draftId === saver.draftId) showDraft(null)
    },
    giveWay: () => {
      const { current: known } = doubt.latest
      goOnAs(known === 'unanswered' ? 'maybe sent before' : known)
      toast(isBlank(read()) ? NOT_DELETED : KEPT_BESIDE)
    },
  }

  /** Nothing that was sent under the old id is recognised under the new one: what is known of it is said. */
  const goOnAs = (known: SendDoubt | null) => {
    formerly.current.add(saver.draftId)
    const removal = saver.fork(randomId())
    // The next save writes its own address; an empty sheet has none.
    if (isMounted.current) showDraft(null)
    doubt.settle(known)
    return removal
  }

  /** The draft's id belongs to what was sent under it; what is here now becomes another email. */
  const goOnAsAnother = async () => {
    const { draftId: sent, base } = saver
    const removal = goOnAs('sent before')
    // It was sent, and is about to go; should it stay, the server still knows it by its id.
    noteDoubt(sent, null)
    // Not before it is safe under its new id.
    if (!(await saver.flush())) return
    await removal().catch(() => {})
    listChanged()
    tell({ kind: 'sent', draftId: sent, basedOn: base })
  }

  /**
   * The same draft in another form, of this tab or another one. This one follows what is written there. Where both were
   * written on, the server takes the first that is saved, and the other goes on under another id: nothing is lost.
   */
  const hear = async (news: DraftNews): Promise<void> => {
    const { draftId } = news
    const isFormer = news.kind === 'sent' && formerly.current.has(draftId)
    if (draftId !== saver.draftId && !isFormer) return
    // By its id another try is recognised: while it is being sent it keeps that, and what it says.
    if (isSending.current) return void heardLate.current.push(news)
    if (news.kind === 'not sent') {
      doubt.recall()
      if (news.words !== null) list.refuse(news.words)
      return
    }
    if (isFormer) return doubt.settle('sent before')
    if (isReading()) {
      // Only then is it known whether there is anything here that is not stored.
      await allRead()
      return isMounted.current ? hear(news) : undefined
    }
    if (news.kind === 'sent') return saver.isKnownTo(news.basedOn) ? startOver('draft gone') : goOnAsAnother()
    if (news.kind === 'deleted') {
      if (saver.isSafe()) return startOver('draft gone')
      const { current: known } = doubt.latest
      // What may have been sent keeps its id, and comes back with the next save.
      if (known !== 'unanswered') goOnAs(known)
      return
    }
    if (!saver.isSafe()) return
    const stored = await fetchDraft(draftId).catch(() => null)
    if (isSending.current || isReading()) return hear(news)
    if (!stored || draftId !== saver.draftId || !saver.isBehind(stored)) return
    saver.followed(stored)
    replace(letterOf(stored))
    list.clear()
    await list.read(stored.recipients)
  }

  useEffect(() => {
    isMounted.current = true
    saver.open()
    const online = () => void saver.flush()
    window.addEventListener('online', online)
    // A phone may stop a page that is out of sight, and later throw it away, without another word.
    const hidden = () => void (document.visibilityState === 'hidden' && saver.flush())
    document.addEventListener('visibilitychange', hidden)
    return () => {
      isMounted.current = false
      window.removeEventListener('online', online)
      document.removeEventListener('visibilitychange', hidden)
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
    doubt,
    sendingEnded: () => {
      isSending.current = false
      for (const news of heardLate.current.splice(0)) if (isMounted.current) void hear(news)
    },
    write: (fields: Partial<Letter>) => {
      change(fields)
      saver.touch()
    },
    /** Not by hand: a template, a resend. Whoever only looks at it makes no draft. */
    fill: (fields: Partial<Letter>) => {
      change(fields)
      if (saver.isBegun()) saver.touch()
    },
    fillRecipients: async (entries: Iterable<string> | Promise<Iterable<string>>): Promise<void> => {
      const result = await list.read(entries)
      if (saver.isBegun()) touchIf(result)
    },
    /** What is on its way goes to those who were named: nobody joins or leaves them any more. */
    addRecipients: (entries: Iterable<string>): Added =>
      isSending.current ? NOBODY : touchIf(list.add(entries)),
    readRecipients: async (entries: Iterable<string> | Promise<Iterable<string>>): Promise<Added> =>
      isSending.current ? NOBODY : takeIn(async () => touchIf(await list.read(entries))),
    removeRecipients: (recipients: readonly Recipient[]) => {
      if (isSending.current) return
      list.remove(new Set(recipients))
      saver.touch()
    },
    goOnAsAnother,
    ...takenIn,
    /** It was sent, and this state of its draft went with it. */
    clear: (discarded: string | null) => {
      list.clear()
      clear()
      formerly.current.clear()
      saver.startOver(saver.sheetOf(randomId(), null), discarded)
    },
  }
}

export type Composer = ReturnType<typeof useComposer>

import { CHANGED_ELSEWHERE, type SaveDraftRequest } from '../../contract/drafts.ts'
import type { Database, Transaction } from '../platform/database.ts'
import { AppError, notFound } from '../platform/errors.ts'
import { requireStorable } from '../platform/text-safety.ts'
import * as store from './store.ts'

export type DraftsService = {
  list(userId: string): Promise<store.DraftSummaryRow[]>
  find(userId: string, id: string): Promise<store.DraftRow>
  /** A new draft, or the next state of the one that it was written from. Beyond the most that are kept, the oldest goes. */
  save(userId: string, id: string, draft: SaveDraftRequest): Promise<store.DraftSummaryRow>
  /** Where it says which state is known, not another one. */
  remove(userId: string, id: string, basedOn?: string): Promise<void>
  /**
   * Goes with the campaign that was written in it, or not at all. A draft that is gone is no reason not to send, nor is
   * one that was changed elsewhere: it stays.
   */
  discard(tx: Transaction, userId: string, id: string, basedOn?: string | null): Promise<void>
}

export function createDrafts({ db }: { db: Database }): DraftsService {
  return {
    list: (userId) => store.listDrafts(db, userId),
    async find(userId, id) {
      const draft = await store.findDraft(db, userId, id)
      if (!draft) throw notFound('draft')
      return draft
    },
    async save(userId, id, draft) {
      requireStorable('The subject', draft.subject)
      requireStorable('The message', draft.body)
      requireStorable('The sender name', draft.senderName)
      requireStorable('The reply-to address', draft.replyTo)
      requireStorable('The template', draft.templateId ?? '')
      return db.transaction().execute(async (tx) => {
        const saved = await store.saveDraft(tx, userId, id, draft)
        if (!saved) throw new AppError(409, CHANGED_ELSEWHERE)
        await store.deleteOldest(tx, userId)
        return saved
      })
    },
    async remove(userId, id, basedOn) {
      if (await store.deleteDraft(db, userId, id, basedOn)) return
      throw (await store.findDraft(db, userId, id)) ? new AppError(409, CHANGED_ELSEWHERE) : notFound('draft')
    },
    async discard(tx, userId, id, basedOn) {
      await store.deleteDraft(tx, userId, id, basedOn)
    },
  }
}

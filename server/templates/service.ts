import { z } from 'zod'
import type { SaveTemplateRequest } from '../../contract/templates.ts'
import type { Database, Transaction } from '../platform/database.ts'
import { notFound } from '../platform/errors.ts'
import { requireOneLine, requireStorable } from '../platform/text-safety.ts'
import * as store from './store.ts'

export type TemplatesService = {
  list(userId: string): Promise<store.TemplateRow[]>
  find(userId: string, id: string): Promise<store.TemplateRow>
  create(userId: string, template: SaveTemplateRequest): Promise<store.TemplateRow>
  change(userId: string, id: string, template: SaveTemplateRequest): Promise<store.TemplateRow>
  remove(userId: string, id: string): Promise<void>
  /** Counts with the campaign that it was used for, or not at all. A template that is gone is no reason not to send. */
  countUse(tx: Transaction, userId: string, id: string): Promise<void>
}

/** PostgreSQL would complain about anything else. */
const isId = (id: string): boolean => z.uuid().safeParse(id).success

export function createTemplates({ db }: { db: Database }): TemplatesService {
  return {
    list: (userId) => store.listTemplates(db, userId),
    async find(userId, id) {
      return found(isId(id) ? await store.findTemplate(db, userId, id) : null)
    },
    async create(userId, template) {
      return store.insertTemplate(db, userId, checked(template))
    },
    async change(userId, id, template) {
      return found(isId(id) ? await store.updateTemplate(db, userId, id, checked(template)) : null)
    },
    async remove(userId, id) {
      if (!isId(id) || !(await store.deleteTemplate(db, userId, id))) throw notFound('template')
    },
    async countUse(tx, userId, id) {
      if (isId(id)) await store.countUse(tx, userId, id)
    },
  }
}

function found(template: store.TemplateRow | null): store.TemplateRow {
  if (!template) throw notFound('template')
  return template
}

function checked(template: SaveTemplateRequest): SaveTemplateRequest {
  requireOneLine('The name', template.name)
  requireOneLine('The subject', template.subject)
  requireStorable('The message', template.body)
  return template
}

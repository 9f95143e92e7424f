import {
  type ChangeTemplateRequest,
  type SaveTemplateRequest,
  TEMPLATE_CHANGED_ELSEWHERE,
  TEMPLATES_MAX,
  TEMPLATES_TOTAL_MAX,
} from '../../contract/templates.ts'
import type { Database, Transaction } from '../platform/database.ts'
import { AppError, notFound } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import { requireOneLine, requireStorable } from '../platform/text-safety.ts'
import * as store from './store.ts'

export type TemplatesService = {
  list(userId: string): Promise<store.TemplateRow[]>
  /** The same without their texts, for whoever only offers them. */
  names(userId: string): Promise<store.TemplateName[]>
  find(userId: string, id: string): Promise<store.TemplateRow>
  create(userId: string, template: SaveTemplateRequest): Promise<store.TemplateRow>
  /** Where it says what it was written from, not over another text. */
  change(userId: string, id: string, template: ChangeTemplateRequest): Promise<store.TemplateRow>
  remove(userId: string, id: string): Promise<void>
  /** Counts with the campaign that it was used for, or not at all. A template that is gone is no reason not to send. */
  countUse(tx: Transaction, userId: string, id: string): Promise<void>
}

export function createTemplates({ db }: { db: Database }): TemplatesService {
  return {
    list: (userId) => store.listTemplates(db, userId),
    names: (userId) => store.listNames(db, userId),
    async find(userId, id) {
      return found(isId(id) ? await store.findTemplate(db, userId, id) : null)
    },
    async create(userId, template) {
      check(template)
      return db.transaction().execute(async (tx) => {
        await store.lockTemplates(tx, userId)
        const { count, total } = await store.measure(tx, userId, null)
        if (count >= TEMPLATES_MAX) throw tooMany(count)
        if (total + lengthOf(template) > TEMPLATES_TOTAL_MAX) throw tooMuch()
        return store.insertTemplate(tx, userId, template)
      })
    },
    async change(userId, id, { basedOn, ...template }) {
      if (!isId(id)) throw notFound('template')
      check(template)
      if (basedOn) check(basedOn)
      return db.transaction().execute(async (tx) => {
        await store.lockTemplates(tx, userId)
        const { total, own } = await store.measure(tx, userId, id)
        if (own === null) throw notFound('template')
        const growth = lengthOf(template) - own
        // Whoever has more than fits, from before there was a limit, can still shorten it.
        if (growth > 0 && total + growth > TEMPLATES_TOTAL_MAX) throw tooMuch()
        const changed = await store.updateTemplate(tx, userId, id, template, basedOn)
        if (changed) return changed
        found(await store.findTemplate(tx, userId, id))
        throw new AppError(409, TEMPLATE_CHANGED_ELSEWHERE)
      })
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

/** In bytes, as the database counts them. */
const lengthOf = ({ name, subject, body }: SaveTemplateRequest): number =>
  Buffer.byteLength(name) + Buffer.byteLength(subject) + Buffer.byteLength(body)

function tooMany(count: number): AppError {
  const spare = count - TEMPLATES_MAX + 1
  const most =
    count === TEMPLATES_MAX ? 'which is the most that are kept' : `and at most ${TEMPLATES_MAX} are kept`
  return new AppError(
    409,
    `You have ${count} templates, ${most}; delete ${spare === 1 ? 'one' : spare} first`,
  )
}

const tooMuch = (): AppError =>
  new AppError(
    409,
    `With this text your templates together would be larger than ${TEMPLATES_TOTAL_MAX / 1024 / 1024} MB, which is the most that is kept; shorten it, or delete another template first`,
  )

function check(template: SaveTemplateRequest): void {
  requireOneLine('The name', template.name)
  requireOneLine('The subject', template.subject)
  requireStorable('The message', template.body)
}

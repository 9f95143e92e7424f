import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Template } from '../../contract/templates.ts'
import { ApiError } from '../api/client.ts'
import { defer } from '../api/deferred.ts'
import { deleteTemplate, templateQuery, templatesQuery } from '../api/templates.ts'
import { sayDeleted, sayNotDeleted, sayTooLate } from './template-toasts.ts'

/*
 * A deleted template disappears at once, and is deleted when the toast with "Undo" is gone, or before that when the
 * page is left or reloaded or the session ends (see `defer`).
 *
 * The other way, to delete at once and create it anew on undo, would lose what cannot be written back: its id, which
 * links and drafts may hold, how often and when it was used, and its place in the list. And where a browser is killed
 * within these seconds, this way leaves a template too many; the other could leave one too few.
 */

let hidden: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

function publish(next: ReadonlySet<string>): void {
  hidden = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What is deleted as far as people are concerned. */
export function useHiddenTemplates(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => hidden)
}

const hide = (id: string): void => publish(new Set([...hidden, id]))
const show = (id: string): void => publish(new Set([...hidden].filter((other) => other !== id)))

export function deleteWithUndo(client: QueryClient, { id }: Template): void {
  hide(id)
  const deletion = defer(() => remove(client, id))
  sayDeleted({
    undo: () => (deletion.cancel() ? show(id) : sayTooLate()),
    onGone: deletion.run,
  })
}

async function remove(client: QueryClient, id: string): Promise<void> {
  try {
    await deleteTemplate(id).catch(unlessGone)
    await client.cancelQueries(templatesQuery)
    client.setQueryData(templatesQuery.queryKey, (known) => known?.filter((template) => template.id !== id))
    client.removeQueries(templateQuery(id))
  } catch (error) {
    sayNotDeleted(error)
  }
  show(id)
}

/** Deleted in another tab meanwhile: what was wanted is so. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}

import type { QueryClient } from '@tanstack/react-query'
import type { Template } from '../../contract/templates.ts'
import { unlessGone } from '../api/client.ts'
import { defer } from '../api/deferred.ts'
import { onceReachable } from '../api/reachable.ts'
import { readAgain } from '../api/read-again.ts'
import { deleteTemplate, templateQuery, templatesQuery } from '../api/templates.ts'
import { createHiddenIds } from '../ui/hidden-ids.ts'
import { sayDeleted, sayNotDeleted, sayTooLate } from './template-toasts.ts'

/*
 * A deleted template disappears at once, and is deleted when the toast with "Undo" is gone, or before that when the
 * page is left or reloaded or the session ends (see `defer`).
 *
 * The other way, to delete at once and create it anew on undo, would lose what cannot be written back: its id, which
 * links and drafts may hold, how often and when it was used, and its place in the list. And where a browser is killed
 * within these seconds, this way leaves a template too many; the other could leave one too few.
 */

const { hide, show, useHidden } = createHiddenIds()
export const useHiddenTemplates = useHidden

export function deleteWithUndo(client: QueryClient, { id }: Template): void {
  hide(id)
  onceReachable(
    () => announce(client, id),
    (error) => {
      sayNotDeleted(error)
      show(id)
    },
  )
}

function announce(client: QueryClient, id: string): void {
  const deletion = defer(() => remove(client, id))
  sayDeleted({
    undo: () => (deletion.cancel() ? show(id) : sayTooLate()),
    onGone: deletion.run,
  })
}

async function remove(client: QueryClient, id: string): Promise<void> {
  try {
    await deleteTemplate(id).catch(unlessGone)
    const { queryKey } = templatesQuery
    // The list alone: what is cancelled is not read again by itself, and the composer may be reading one of them.
    await client.cancelQueries({ queryKey, exact: true })
    client.setQueryData(queryKey, (known) => known?.filter((template) => template.id !== id))
    readAgain(client, { queryKey, exact: true })
    client.removeQueries(templateQuery(id))
  } catch (error) {
    sayNotDeleted(error)
  }
  show(id)
}

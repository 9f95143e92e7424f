import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Template } from '../../contract/templates.ts'
import { readAgain } from '../api/read-again.ts'
import {
  createTemplate,
  editTemplate,
  isTemplateChangedElsewhere,
  templatesKey,
  templatesQuery,
} from '../api/templates.ts'
import type { TemplateForm } from './template-form.ts'
import { sayNotSaved, saySaved } from './template-toasts.ts'

/** Stores a new template, or another text of a known one. */
export function useSaveTemplate(known: Template | null, onSaved: () => void) {
  const client = useQueryClient()
  /** What was stored when last seen: what was opened, then what a refusal has told of. */
  const base = useRef<TemplateForm | null>(known)

  const seeWhatIsStored = async () => {
    const { queryKey } = templatesQuery
    // One that is under way may have begun before the change.
    await client.cancelQueries({ queryKey, exact: true })
    // Should it fail, the next save is refused once more: nobody replaces what they could not have seen.
    const list = await client.fetchQuery({ ...templatesQuery, staleTime: 0 }).catch(() => null)
    base.current = list?.find(({ id }) => id === known?.id) ?? base.current
  }

  return useMutation({
    mutationFn: async (form: TemplateForm): Promise<Template> => {
      const request = { ...form, name: form.name.trim(), subject: form.subject.trim() }
      if (!known) return createTemplate(request)
      await editTemplate(known.id, { ...request, ...(base.current && { basedOn: textOf(base.current) }) })
      return { ...known, ...request }
    },
    onSuccess: (saved) => {
      client.setQueryData(templatesQuery.queryKey, (list) => list && withTemplate(list, saved))
      readAgain(client, { queryKey: templatesKey })
      saySaved()
      onSaved()
    },
    onError: async (error) => {
      sayNotSaved(error)
      if (isTemplateChangedElsewhere(error)) await seeWhatIsStored()
    },
  })
}

const textOf = ({ name, subject, body }: TemplateForm): TemplateForm => ({ name, subject, body })

/** In its old place, or as the newest before all others. */
const withTemplate = (list: Template[], saved: Template): Template[] =>
  list.some(({ id }) => id === saved.id)
    ? list.map((template) => (template.id === saved.id ? saved : template))
    : [saved, ...list]

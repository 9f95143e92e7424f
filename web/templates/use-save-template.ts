import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Template } from '../../contract/templates.ts'
import { readAgain } from '../api/read-again.ts'
import { createTemplate, editTemplate, templatesKey, templatesQuery } from '../api/templates.ts'
import type { TemplateForm } from './template-form.ts'
import { sayNotSaved, saySaved } from './template-toasts.ts'

/** Stores a new template, or another text of a known one. */
export function useSaveTemplate(known: Template | null, onSaved: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (form: TemplateForm): Promise<Template> => {
      const request = { ...form, name: form.name.trim(), subject: form.subject.trim() }
      if (!known) return createTemplate(request)
      await editTemplate(known.id, request)
      return { ...known, ...request }
    },
    onSuccess: (saved) => {
      client.setQueryData(templatesQuery.queryKey, (list) => list && withTemplate(list, saved))
      readAgain(client, { queryKey: templatesKey })
      saySaved()
      onSaved()
    },
    onError: sayNotSaved,
  })
}

/** In its old place, or as the newest before all others. */
const withTemplate = (list: Template[], saved: Template): Template[] =>
  list.some(({ id }) => id === saved.id)
    ? list.map((template) => (template.id === saved.id ? saved : template))
    : [saved, ...list]

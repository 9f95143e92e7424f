import { useState } from 'react'
import type { Template } from '../../contract/templates.ts'
import { EMPTY_FORM, type TemplateForm } from './template-form.ts'

export interface TemplateDialogState {
  open: boolean
  /** The one that is edited; null for a new one. */
  template: Template | null
  initial: TemplateForm
}

const CLOSED: TemplateDialogState = { open: false, template: null, initial: EMPTY_FORM }

/** One dialog for both. Each opening is a new round, which begins with the text it is given. */
export function useTemplateDialog() {
  const [{ round, state }, set] = useState({ round: 0, state: CLOSED })
  const open = (template: Template | null, { name, subject, body }: TemplateForm) =>
    set((last) => ({
      round: last.round + 1,
      state: { open: true, template, initial: { name, subject, body } },
    }))
  return {
    round,
    state,
    create: (form: TemplateForm) => open(null, form),
    edit: (template: Template) => open(template, template),
    // What it shows stays until it has faded.
    close: () => set((last) => ({ ...last, state: { ...last.state, open: false } })),
  }
}

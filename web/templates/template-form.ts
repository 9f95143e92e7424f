import { BODY_MAX } from '../../contract/campaigns.ts'
import type { SaveTemplateRequest } from '../../contract/templates.ts'
import { inWords } from '../ui/words.ts'

export type TemplateForm = SaveTemplateRequest
export type TemplateErrors = Partial<Record<keyof TemplateForm, string>>

export const EMPTY_FORM: TemplateForm = { name: '', subject: '', body: '' }

export const NAME_REQUIRED = {
  title: 'Template Name Required',
  description: 'Please enter a name for your template',
} as const

/** In the order of the fields, so that the first is the one to go to. The other lengths are limited as one types. */
export function errorsOf({ name, subject, body }: TemplateForm): TemplateErrors {
  return {
    ...(name.trim() === '' && { name: NAME_REQUIRED.description }),
    ...(subject.trim() === '' && { subject: 'Please enter a subject' }),
    ...(body.length > BODY_MAX && {
      body: `${inWords(body.length)} characters are too many: ${inWords(BODY_MAX)} fit`,
    }),
  }
}

export const isSame = (one: TemplateForm, other: TemplateForm): boolean =>
  one.name === other.name && one.subject === other.subject && one.body === other.body

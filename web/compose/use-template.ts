import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { templateQuery } from '../api/templates.ts'
import type { Composer } from './use-composer.ts'
import type { Sheet } from './use-sheet.ts'

/** Fills subject and message from the template that the address names; what was typed meanwhile stays. */
export function useTemplate({ opens, templateId }: Sheet, { fill, latest }: Composer) {
  const isWanted = opens === 'template' && templateId !== undefined
  const template = useQuery({ ...templateQuery(templateId ?? ''), enabled: isWanted })
  const isDone = useRef(false)

  useEffect(() => {
    if (!template.data || isDone.current || !isWanted) return
    isDone.current = true
    const { subject, body } = latest.current
    fill({ subject: subject || template.data.subject, body: body || template.data.body })
  })

  return {
    isLoading: isWanted && template.isPending && template.isFetching,
    isFailed: isWanted && template.isError,
    isRetrying: template.isFetching,
    error: template.error,
    retry: () => void template.refetch(),
  }
}

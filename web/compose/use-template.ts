import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { templateQuery } from '../api/templates.ts'
import type { Composer } from './use-composer.ts'
import type { Sheet } from './use-sheet.ts'

/** Fills subject and message from the template that the address names; what was typed meanwhile stays. */
export function useTemplate({ opens, templateId }: Sheet, { fill, latest }: Composer) {
  const isWanted = opens === 'template' && templateId !== undefined
  // Read anew: it may have been changed in another tab or on another device since this page has read it.
  const template = useQuery({
    ...templateQuery(templateId ?? ''),
    enabled: isWanted,
    refetchOnMount: 'always',
  })
  const [isFilled, setIsFilled] = useState(false)
  // What is just being read again may be about to change, and it fills once.
  const text = template.isFetching || template.isError ? undefined : template.data

  useEffect(() => {
    if (!text || isFilled || !isWanted) return
    setIsFilled(true)
    const { subject, body } = latest.current
    fill({ subject: subject || text.subject, body: body || text.body })
  })

  return {
    isLoading: isWanted && !isFilled && template.isFetching,
    // Deleted once it has filled the letter, it is no failure of the letter.
    isFailed: isWanted && !isFilled && template.isError,
    isRetrying: template.isFetching,
    error: template.error,
    retry: () => void template.refetch(),
  }
}

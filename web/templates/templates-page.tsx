import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { messageOf } from '../api/client.ts'
import { templatesQuery } from '../api/templates.ts'
import { usePageTitle } from '../shell/page-title.ts'
import { Button } from '../ui/button.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useHiddenTemplates } from './deletions.ts'
import { TemplateDialog } from './template-dialog.tsx'
import { EMPTY_FORM } from './template-form.ts'
import { TemplateGrid, TemplateGridSkeleton } from './template-grid.tsx'
import { TemplatesEmpty } from './templates-empty.tsx'
import { useTemplateDialog } from './use-template-dialog.ts'

export function TemplatesPage() {
  usePageTitle('Email Templates')
  // Cards from before stay on show meanwhile.
  const templates = useQuery({ ...templatesQuery, refetchOnMount: 'always' })
  const hidden = useHiddenTemplates()
  const dialog = useTemplateDialog()
  const shown = templates.data?.filter(({ id }) => !hidden.has(id))
  const isEmpty = shown?.length === 0
  const create = (
    <Button variant="primary" onClick={() => dialog.create(EMPTY_FORM)} returnFocusTo="around">
      <Plus aria-hidden="true" className="size-4" />
      Create Template
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Email Templates"
        subtitle="Messages you send again and again"
        // On the empty screen the button stands below.
        action={!isEmpty && create}
      />
      {isEmpty && <TemplatesEmpty create={create} onStart={dialog.create} />}
      {shown && !isEmpty && <TemplateGrid templates={shown} onEdit={dialog.edit} />}
      {templates.isPending && <TemplateGridSkeleton />}
      {!shown && templates.isError && (
        <LoadFailure
          title="Your templates could not be loaded"
          reason={messageOf(templates.error)}
          onRetry={() => void templates.refetch()}
        />
      )}
      <TemplateDialog key={dialog.round} {...dialog.state} onClose={dialog.close} />
    </>
  )
}

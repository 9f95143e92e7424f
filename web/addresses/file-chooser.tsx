import type { RefObject } from 'react'
import { ADDRESS_FILES } from './file-text.ts'

/** Opens the system's dialog for files of addresses when `chooser` is clicked by whoever stands for it. */
export function FileChooser({
  chooser,
  onFiles,
}: {
  chooser: RefObject<HTMLInputElement | null>
  onFiles: (files: File[]) => void
}) {
  return (
    <input
      ref={chooser}
      type="file"
      hidden
      multiple
      accept={ADDRESS_FILES}
      onChange={(event) => {
        const files = [...(event.target.files ?? [])]
        // So that the same file can be chosen again.
        event.target.value = ''
        onFiles(files)
      }}
    />
  )
}

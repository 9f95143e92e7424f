import { Download, Paperclip } from 'lucide-react'
import type { InboxMessage } from '../../contract/inbox.ts'
import { attachmentPath } from '../api/inbox.ts'
import { counted } from '../ui/words.ts'
import { shownLine } from './shown-text.ts'
import { sizeWords } from './size-words.ts'

/** Only to be saved, never opened here: what is in them is not ours to judge. */
export function Attachments({ message }: { message: InboxMessage }) {
  const { attachments } = message
  if (attachments.length === 0) return null
  return (
    <section aria-label="Attachments" className="grid gap-2">
      <h3 className="text-muted text-sm">{counted(attachments.length, 'attachment')}</h3>
      <ul className="grid gap-2 @lg:grid-cols-2">
        {attachments.map(({ name, size }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an attachment is known by its place
          <li key={index}>
            <a
              href={attachmentPath(message, index)}
              download
              className="flex min-h-11 items-center gap-2.5 rounded-md border border-line px-3 py-1.5 transition-colors hover:bg-hover"
            >
              <Paperclip aria-hidden="true" className="size-4 shrink-0 text-muted" />
              <bdi className="wrap-anywhere line-clamp-2 min-w-0 grow text-sm">
                {shownLine(name) || 'Unnamed file'}
              </bdi>
              <span className="shrink-0 text-muted text-sm">{sizeWords(size)}</span>
              <Download aria-hidden="true" className="size-4 shrink-0 text-muted" />
              <span className="sr-only">, download</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

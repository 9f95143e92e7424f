import { getNonce } from 'get-nonce'
import { type ReactNode, useState } from 'react'
import { useInstance } from '../api/instance.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { inWords } from '../ui/words.ts'
import { mailHtmlOf } from './mail-html.ts'
import { senderOf } from './sender.ts'
import type { Composer } from './use-composer.ts'

/** The button, and the mail as its recipient will see it. */
export function MailPreview({ composer }: { composer: Composer }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button size="sm" variant="ghost" onClick={() => setIsOpen(true)}>
        Preview
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        size="lg"
        title="Preview"
        description="What a recipient sees. Every recipient gets a mail of their own; nobody sees the others."
      >
        {isOpen && <Mail composer={composer} />}
      </Dialog>
    </>
  )
}

function Mail({ composer: { letter, settings, recipients } }: { composer: Composer }) {
  const instance = useInstance()
  const { name, address } = senderOf(letter, settings.data, instance)
  const [first] = recipients.all
  const more = recipients.all.length - 1
  const paper = 'h-80 max-h-[45dvh] w-full rounded-md border border-line'
  return (
    <div className="grid gap-4">
      <dl className="wrap-anywhere grid gap-1">
        <Line title="From">
          <bdi>{name}</bdi> <span className="text-soft">&lt;{address}&gt;</span>
        </Line>
        <Line title="To">
          {first?.text ?? <span className="text-muted">Nobody yet</span>}
          {more > 0 && <span className="text-muted"> · and {inWords(more)} more, each for themselves</span>}
        </Line>
        <Line title="Subject">
          {letter.subject.trim() === '' ? (
            <span className="text-muted">No subject yet</span>
          ) : (
            <strong className="font-semibold">
              <bdi>{letter.subject}</bdi>
            </strong>
          )}
        </Line>
      </dl>
      <Tabs
        label="Parts of the mail"
        items={[
          {
            value: 'html',
            label: 'As most see it',
            content: (
              // No scripts, no origin of ours, no way out: what is typed is only shown.
              <iframe
                title="The message"
                sandbox=""
                srcDoc={mailHtmlOf(letter.body, getNonce() ?? '')}
                className={paper}
              />
            ),
          },
          {
            value: 'text',
            label: 'As plain text',
            content: (
              <section
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must be scrolled by the keyboard too
                tabIndex={0}
                aria-label="The message as plain text"
                className={`${paper} overflow-auto p-4`}
              >
                <pre dir="auto" className="wrap-anywhere whitespace-pre-wrap font-mono text-sm">
                  {letter.body}
                </pre>
              </section>
            ),
          },
        ]}
      />
    </div>
  )
}

function Line({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex gap-3">
      <dt className="w-14 shrink-0 text-muted">{title}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

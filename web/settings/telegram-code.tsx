import { Check, Copy, Send } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import type { ShownCode } from '../api/telegram.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { useCopy } from '../ui/use-copy.ts'
import { counted } from '../ui/words.ts'
import { sayCopied } from './telegram-toasts.ts'
import { type FocusRelay, useFocusRelay } from './use-focus-relay.ts'
import { useMinutesLeft } from './use-minutes-left.ts'

interface TelegramCodeProps {
  code: ShownCode
  bot: string
  relay: FocusRelay
  isGenerating: boolean
  onGenerate: () => void
  onCancel: () => void
}

/** A code until it is used, cancelled or expired. Give it a `key` for each code. */
export function TelegramCode(props: TelegramCodeProps) {
  const minutes = useMinutesLeft(props.code.endsAt)
  const isExpired = minutes === 0
  return (
    <div>
      {/* There before it has something to say, so that a screen reader tells when it does. */}
      <p role="status" className={isExpired ? 'mb-4 text-pretty' : 'sr-only'}>
        {isExpired && 'This code has expired. Generate a new one to link your Telegram account.'}
      </p>
      {isExpired ? <Expired {...props} /> : <Usable {...props} minutes={minutes} />}
    </div>
  )
}

function Expired({ relay, isGenerating, onGenerate, onCancel }: TelegramCodeProps) {
  const view = useRef<HTMLDivElement>(null)
  useFocusRelay(relay, { view, landing: 'button' })
  return (
    <div ref={view} className="flex flex-wrap gap-2">
      <Button pending={isGenerating} pendingText="Generating..." onClick={onGenerate}>
        Generate New Code
      </Button>
      <Button variant="ghost" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}

function Usable({
  code: { code, url },
  bot,
  minutes,
  relay,
  onCancel,
}: TelegramCodeProps & { minutes: number }) {
  const view = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  useFocusRelay(relay, { view, landing: 'input', isAnswer: true })
  return (
    <div ref={view} className="flex flex-col gap-5 md:flex-row md:gap-8">
      <div className="grid min-w-0 grow content-start gap-4">
        <Field label="Link code" hint={`Expires in ${counted(minutes, 'minute')}`}>
          {(control) => (
            <input
              {...control}
              ref={field}
              value={code}
              readOnly
              className="h-14 w-full min-w-0 rounded-md border border-control/60 bg-sunken px-3 text-center font-mono font-semibold text-ink text-lg md:text-xl"
              onFocus={(event) => event.target.select()}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-2">
          {url !== null && (
            <Button asChild className="w-full md:w-auto">
              <a href={url} target="_blank" rel="noopener">
                <Send aria-hidden="true" className="size-4" />
                <span>
                  Open in Telegram
                  <span className="sr-only"> in a new tab</span>
                </span>
              </a>
            </Button>
          )}
          <CopyButton field={field} onCopied={() => sayCopied(bot)} />
          <Button variant="ghost" onClick={onCancel}>
            Cancel
          </Button>
        </div>
        <p className="text-pretty text-muted text-sm">
          Or send{' '}
          <code className="whitespace-nowrap rounded-sm bg-sunken px-1 py-0.5 font-mono text-ink">
            /link {code}
          </code>{' '}
          to {bot} yourself.
        </p>
      </div>
      {url !== null && (
        <figure className="grid shrink-0 content-start justify-items-center gap-2 self-center md:self-start">
          <QrCode
            text={url}
            label={`QR code that opens ${bot} in Telegram with this code`}
            className="size-44 border border-line"
          />
          <figcaption className="text-muted text-sm">Scan it with your phone</figcaption>
        </figure>
      )}
    </div>
  )
}

interface CopyButtonProps {
  field: RefObject<HTMLInputElement | null>
  onCopied: () => void
}

function CopyButton({ field, onCopied }: CopyButtonProps) {
  const { copied, copy } = useCopy(field)
  const Icon = copied ? Check : Copy
  const press = async () => {
    if (await copy()) onCopied()
  }
  return (
    <Button className="w-26" onClick={() => void press()}>
      <Icon aria-hidden="true" className={copied ? 'size-4 text-delivered-text' : 'size-4'} />
      {copied ? 'Copied' : 'Copy'}
    </Button>
  )
}

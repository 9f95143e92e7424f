import { useRef } from 'react'
import { messageOf } from '../api/client.ts'
import { useInboxAddressReadAnew } from '../api/inbox.ts'
import { Button } from '../ui/button.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ChangeAddress } from './change-address.tsx'
import type { SettingsFormModel } from './use-settings-form.ts'

const TITLE_ID = 'inbox-address-title'

export function InboxAddressHeading() {
  return (
    <h3 id={TITLE_ID} className="font-semibold">
      Inbox Address
    </h3>
  )
}

/** Where answers arrive in Postrider itself, for whoever makes it the reply-to address. */
export function InboxAddressRows({ model }: { model: SettingsFormModel }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot be the heading that it is
    <div role="group" aria-labelledby={TITLE_ID} className="grid gap-4 border-line border-t p-5">
      <InboxAddressHeading />
      <Rows model={model} />
    </div>
  )
}

function Rows({ model }: { model: SettingsFormModel }) {
  const { data, error, isFetching, refetch } = useInboxAddressReadAnew()
  const shown = useRef<HTMLDivElement>(null)
  if (!data && error)
    return (
      <LoadFailure
        title="Your inbox address could not be loaded"
        reason={messageOf(error)}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <InboxAddressSkeleton />
  if (!data.isReceiving)
    return (
      <p className="text-pretty text-muted text-sm">
        This installation receives no mail, so replies go to the reply-to address above. Whoever runs it can
        change that by setting INBOUND_SMTP_PORT and INBOUND_DOMAIN.
      </p>
    )
  const isUsed = model.form.fromEmail.trim().toLowerCase() === data.address
  const toCopy = () => shown.current?.querySelector('button') ?? null
  const use = (fromEmail: string) => model.dispatch({ kind: 'sender changed', fields: { fromEmail } })
  return (
    <>
      <div ref={shown}>
        <CopyField
          label="Your inbox address"
          value={data.address}
          hint={
            isUsed
              ? 'It is your reply-to address: answers come to your inbox here.'
              : 'As your reply-to address it brings answers to your inbox here.'
          }
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button disabled={isUsed} onClick={() => use(data.address)} returnFocusTo={toCopy}>
          Use as reply-to
        </Button>
        <ChangeAddress
          address={data.address}
          isChangeable={data.isChangeable}
          isUsed={isUsed}
          // A reply-to address that was this one stays this one.
          onChanged={(address) => isUsed && use(address)}
          returnFocusTo={toCopy}
        />
      </div>
    </>
  )
}

/** As high as the address of somebody who may still change it. */
export function InboxAddressSkeleton() {
  return (
    <>
      <div className="grid gap-1.5">
        <Skeleton className="h-5 w-28" />
        <Skeleton className="tap-10" />
        <Skeleton className="h-10 w-64 md:h-5" />
      </div>
      <Skeleton className="tap-9 w-56" />
    </>
  )
}

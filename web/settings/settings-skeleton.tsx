import { CardBody, CardFooter } from '../ui/card.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { InboxAddressHeading, InboxAddressSkeleton } from './inbox-address.tsx'
import { HabitsHeading } from './mail-habits.tsx'
import { SettingsCard } from './settings-card.tsx'

/** As high, line by line, as the form of somebody who has not set anything up yet. */
export function SettingsSkeleton() {
  return (
    <div className="grid gap-6">
      <p role="status" className="sr-only">
        Loading your settings
      </p>
      <SettingsCard of="provider">
        <CardBody>
          <FieldSkeleton hint="h-10 w-4/5 md:h-5" />
        </CardBody>
        <CardFooter className="gap-x-4">
          <Skeleton className="tap-9 w-36" />
          <Skeleton className="h-5 grow basis-60" />
        </CardFooter>
      </SettingsCard>
      <SettingsCard of="sender">
        <CardBody className="grid gap-5">
          <div className="grid gap-5 md:grid-cols-2">
            <FieldSkeleton />
            <FieldSkeleton />
          </div>
          <Skeleton className="h-32" />
        </CardBody>
        <div className="grid gap-4 border-line border-t p-5">
          <InboxAddressHeading />
          <InboxAddressSkeleton />
        </div>
        <div className="grid gap-5 border-line border-t p-5">
          <HabitsHeading />
          <HabitSkeleton hint="h-15 md:h-10" />
          <HabitSkeleton hint="h-5 w-3/4" />
          <Skeleton className="h-5 w-3/4" />
        </div>
      </SettingsCard>
      <div className="border-transparent border-t py-3">
        <Skeleton className="tap-9 w-32" />
      </div>
    </div>
  )
}

function HabitSkeleton({ hint }: { hint: string }) {
  return (
    <div className="grid gap-0.5 pl-12">
      <Skeleton className="h-5 w-40" />
      <Skeleton className={hint} />
    </div>
  )
}

function FieldSkeleton({ hint = 'h-5 w-48' }: { hint?: string }) {
  return (
    <div className="grid gap-1.5">
      <Skeleton className="h-5 w-28" />
      <Skeleton className="tap-10" />
      <Skeleton className={hint} />
    </div>
  )
}

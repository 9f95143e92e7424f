import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { Toast as Primitive } from 'radix-ui'
import { Link, useLocation } from 'wouter'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { chooseToastAction, dismissToast, type ToastEntry, useToasts } from './toast-store.ts'

const DISPLAY_MS = 5000
const SWIPE_THRESHOLD_PX = 50

/** Stands once, at the root: shows what `toast()` was given. */
export function Toaster() {
  const toasts = useToasts()
  return (
    <Primitive.Provider duration={DISPLAY_MS} swipeDirection="right" swipeThreshold={SWIPE_THRESHOLD_PX}>
      {toasts.map((entry) => (
        <ToastCard key={entry.id} entry={entry} />
      ))}
      {/*
        On a phone at the top, where neither the keyboard nor the thumb covers it, and below the header; else at the
        bottom, above a bar with the actions of a screen.
      */}
      <Primitive.Viewport
        hotkey={['F8']}
        // Not a live region (each toast is announced by itself), but marked as one, for then an open dialog, which
        // hides the rest of the page from screen readers, leaves it be.
        aria-live="off"
        className={classes(
          'pointer-events-none fixed inset-x-0 top-0 z-60 flex flex-col gap-2 p-4 outline-none',
          '[body:has([data-bar=top])_&]:top-14',
          'md:inset-x-auto md:top-auto! md:right-0 md:bottom-0 md:w-full md:max-w-[420px]',
          'md:[body:has([data-bar=bottom])_&]:bottom-18',
        )}
      />
    </Primitive.Provider>
  )
}

function ToastCard({ entry }: { entry: ToastEntry }) {
  const destructive = entry.variant === 'destructive'
  const Icon = destructive ? CircleAlert : CircleCheck
  return (
    <Primitive.Root
      open={entry.open}
      onOpenChange={(open) => {
        if (!open) dismissToast(entry.id)
      }}
      className={classes(
        'pointer-events-auto relative flex items-start gap-3 rounded-lg border py-3.5 pr-12 pl-4 shadow-pop',
        'data-[state=open]:animate-rise-in data-[state=closed]:animate-fade-out',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0',
        'data-[swipe=cancel]:transition-transform data-[swipe=end]:animate-swipe-out',
        destructive ? 'border-failed/50 bg-failed-soft' : 'border-line bg-card',
      )}
    >
      <Icon
        aria-hidden="true"
        className={classes(
          'mt-0.5 size-4.5 shrink-0',
          destructive ? 'text-failed-text' : 'text-delivered-text',
        )}
      />
      <div className="grid min-w-0 grow gap-0.5">
        <Primitive.Title className={classes('font-semibold', destructive && 'text-failed-text')}>
          {entry.title}
        </Primitive.Title>
        {entry.description && (
          <Primitive.Description className="wrap-anywhere line-clamp-6 text-soft">
            {entry.description}
          </Primitive.Description>
        )}
        {entry.detail && <p className="wrap-anywhere line-clamp-3 text-muted text-sm">{entry.detail}</p>}
      </div>
      <ToastAction entry={entry} />
      <Primitive.Close
        aria-label="Dismiss"
        className="tap-square-8 absolute top-2 right-2 grid place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
      >
        <X aria-hidden="true" className="size-4" />
      </Primitive.Close>
    </Primitive.Root>
  )
}

function ToastAction({ entry: { id, action } }: { entry: ToastEntry }) {
  const [location] = useLocation()
  // Nobody needs the way to where they are.
  if (!action || action.href === location) return null
  const choose = () => chooseToastAction(id)
  return (
    // The words in `altText` are read out with the toast, for it takes no focus by itself.
    <Primitive.Action asChild altText={`${action.label}: press F8 to get there`} onClick={choose}>
      <Button size="sm" className="-my-1.5 shrink-0 self-center" asChild={action.href !== undefined}>
        {action.href === undefined ? action.label : <Link href={action.href}>{action.label}</Link>}
      </Button>
    </Primitive.Action>
  )
}

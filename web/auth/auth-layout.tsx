import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { usePageTitle } from '../shell/page-title.ts'
import { ThemeToggle } from '../shell/theme-toggle.tsx'
import { BrandMark } from '../ui/brand-mark.tsx'
import { labelLink, textLink } from '../ui/text-link.ts'
import { CancellationWaves, Postmark } from './postmark.tsx'

interface AuthLayoutProps {
  title: string
  subtitle?: ReactNode
  children: ReactNode
  /** The way to a neighbouring screen, below the form. */
  footer?: ReactNode
}

/** An envelope seen close: the form on paper, and a stamped, perforated edge of night blue. */
export function AuthLayout({ title, subtitle, children, footer }: AuthLayoutProps) {
  usePageTitle(title)
  const heading = useHeadingFocus(title)
  return (
    <div className="flex min-h-dvh flex-col lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(0,44%)]">
      <div className="order-2 flex grow flex-col px-5 pt-8 pb-8 md:px-10 lg:order-1 lg:pt-8">
        <header className="absolute z-10 top-3 right-3 left-5 flex items-center justify-between md:left-10 lg:static lg:-mr-4">
          <span className="flex items-center gap-2.5 font-semibold text-lg text-on-night tracking-tight lg:text-ink">
            <BrandMark className="size-8" />
            Postrider
          </span>
          <span className="text-on-night lg:text-ink [&_button]:max-lg:text-on-night-muted">
            <ThemeToggle />
          </span>
        </header>
        <main className="mx-auto flex w-full max-w-96 grow flex-col lg:pt-[13dvh]">
          <h1 ref={heading} tabIndex={-1} className="text-balance font-semibold text-xl outline-none">
            {title}
          </h1>
          {subtitle && <div className="mt-1.5 text-pretty text-muted">{subtitle}</div>}
          <div className="mt-7 grid gap-5">{children}</div>
          {footer && <p className="mt-7 text-muted">{footer}</p>}
        </main>
      </div>
      <aside
        aria-label="About Postrider"
        className="perforated relative order-1 h-32 shrink-0 overflow-hidden bg-night text-on-night lg:order-2 lg:h-auto"
      >
        <CancellationWaves className="absolute top-16 right-0 w-2xl text-night-line lg:top-[21%] lg:right-auto lg:left-0 lg:w-full" />
        <Postmark className="-right-6 -bottom-28 absolute hidden size-88 text-on-night lg:top-[12%] lg:right-[12%] lg:bottom-auto lg:block" />
        <div className="absolute inset-x-0 bottom-0 hidden gap-3 p-12 lg:grid xl:p-16">
          <p className="max-w-md text-balance font-semibold text-2xl">Every recipient, accounted for.</p>
          <p className="max-w-md text-pretty text-lg text-on-night-muted">
            Nobody is mailed twice and nobody is silently left out. Where the truth cannot be known, Postrider
            says so, address by address.
          </p>
        </div>
      </aside>
    </div>
  )
}

/** When a form gives way to its result, the focus follows to the new heading instead of falling off the page. */
function useHeadingFocus(title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(title)
  useEffect(() => {
    if (shown.current === title) return
    shown.current = title
    heading.current?.focus()
  }, [title])
  return heading
}

interface AuthLinkProps {
  href: string
  /** At the end of a label's line rather than in a text. */
  beside?: 'label'
  children: ReactNode
}

export function AuthLink({ href, beside, children }: AuthLinkProps) {
  return (
    <Link href={href} className={beside === 'label' ? labelLink : textLink}>
      {children}
    </Link>
  )
}

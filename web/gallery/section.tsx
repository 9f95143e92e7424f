import type { ReactNode } from 'react'

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section id={title.toLowerCase().replaceAll(' ', '-')} aria-label={title} className="grid gap-5">
      <h2 className="border-line border-b pb-2 font-semibold text-xl">{title}</h2>
      {children}
    </section>
  )
}

/** One line of specimens with its name in the margin. */
export function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid items-center gap-2 md:grid-cols-[8rem_minmax(0,1fr)]">
      <p className="text-muted text-sm">{name}</p>
      <div className="flex min-w-0 flex-wrap items-center gap-3">{children}</div>
    </div>
  )
}

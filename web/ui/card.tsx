import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes.ts'

/** A sheet of paper: hairline border, no nesting. */
export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section className={classes('rounded-lg border border-line bg-card shadow-lift', className)} {...rest} />
  )
}

export function CardHeader({
  id,
  title,
  description,
  action,
}: {
  /** On the title, for a card that is a region named after it. */
  id?: string
  title: string
  description?: string
  action?: ReactNode
}) {
  return (
    <header className="flex items-start justify-between gap-4 px-5 pt-5">
      <div className="grid gap-1">
        <h2 id={id} className="font-semibold text-lg">
          {title}
        </h2>
        {description && <p className="text-muted text-sm">{description}</p>}
      </div>
      {action}
    </header>
  )
}

export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={classes('p-5', className)} {...rest} />
}

export function CardFooter({ className, ...rest }: ComponentProps<'footer'>) {
  return (
    <footer
      className={classes('flex flex-wrap items-center gap-2 border-line border-t px-5 py-4', className)}
      {...rest}
    />
  )
}

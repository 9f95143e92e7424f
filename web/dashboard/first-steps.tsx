import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { Link } from 'wouter'
import { settingsQuery } from '../api/settings.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classes } from '../ui/classes.ts'
import { currentStep, STEPS, type Step } from './steps.ts'

/** Until the first email is sent: what to do, and how far one is. */
export function FirstSteps() {
  const settings = useQuery(settingsQuery)
  const current = currentStep(settings.data)
  return (
    <Card aria-labelledby="first-steps" className="overflow-hidden">
      <h2 id="first-steps" className="px-5 pt-5 font-semibold text-lg">
        Three steps to your first email
      </h2>
      <ol className="mt-4 grid divide-y divide-line border-line border-t lg:grid-cols-3 lg:divide-x lg:divide-y-0">
        {STEPS.map((step, index) => (
          <StepItem
            key={step.title}
            step={step}
            number={index + 1}
            isDone={index < current}
            isCurrent={index === current}
          />
        ))}
      </ol>
    </Card>
  )
}

interface StepItemProps {
  step: Step
  number: number
  isDone: boolean
  isCurrent: boolean
}

function StepItem({ step, number, isDone, isCurrent }: StepItemProps) {
  return (
    <li aria-current={isCurrent ? 'step' : undefined} className="flex gap-4 p-5">
      <span
        aria-hidden="true"
        className={classes(
          'grid size-7 shrink-0 place-items-center rounded-full font-semibold text-sm',
          isDone && 'bg-delivered-soft text-delivered-text',
          isCurrent && 'bg-accent text-on-accent',
          !isDone && !isCurrent && 'bg-hover text-soft',
        )}
      >
        {isDone ? <Check className="size-4" /> : number}
      </span>
      <div className="grid content-start justify-items-start gap-1">
        <h3 className="pt-0.5 font-semibold">
          {step.title}
          {isDone && <span className="sr-only"> (done)</span>}
        </h3>
        <p className="text-muted">{isDone ? step.done : step.text}</p>
        <Button asChild variant={isCurrent ? 'primary' : 'secondary'} className="mt-2">
          <Link href={step.href}>{step.action}</Link>
        </Button>
      </div>
    </li>
  )
}

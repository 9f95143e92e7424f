import { type KeyboardEvent, useState } from 'react'
import type { EmailActivity } from '../../contract/stats.ts'
import { classes } from '../ui/classes.ts'
import { inWords } from '../ui/words.ts'
import { columnWords, type Day, tickWords } from './activity-words.ts'
import { ticksFor } from './chart-scale.ts'

const HEIGHT = 300
/** Above the highest bar: the unit, and the value of the bar that is looked at. */
const TOP = 32
/** Below the zero line: the names of the days. */
const BOTTOM = 28
const BASE = HEIGHT - BOTTOM
/** One mail among thousands still shows. */
const LEAST = 2
/** In percent of the room that a day has. */
const BAR_WIDTH = 46
const CORNER = 4

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => Math.max(0, at - 1),
  ArrowRight: (at, last) => Math.min(last, at + 1),
  Home: () => 0,
  End: (_, last) => last,
}

/**
 * Across in percent, so that it fills any width without being measured; upwards in pixels, so that it is always 300
 * high. The padding holds the numbers of the axis, which are drawn to the left of zero.
 */
export function ActivityChart({ days }: { days: EmailActivity }) {
  const [shown, setShown] = useState<number | null>(null)
  const ticks = ticksFor(Math.max(0, ...days.map(({ sent }) => sent)))
  const top = ticks.at(-1) ?? 1
  const heightOf = (value: number): number => ((BASE - TOP) * value) / top

  const move = (event: KeyboardEvent<HTMLElement>) => {
    const last = days.length - 1
    const next = STEPS[event.key]?.(shown ?? last, last)
    if (next === undefined) return
    event.preventDefault()
    event.currentTarget.querySelectorAll<SVGElement>('[data-day]')[next]?.focus()
  }

  return (
    <fieldset
      aria-label="Emails sent, day by day. Arrow keys go from day to day."
      onKeyDown={move}
      onPointerLeave={() => setShown(null)}
    >
      <svg role="presentation" width="100%" height={HEIGHT} className="overflow-visible pl-9 text-xs">
        <svg aria-hidden="true" className="overflow-visible">
          <text x={-36} y={12} className="fill-muted">
            Emails
          </text>
          {ticks.map((tick) => (
            <Tick key={tick} value={tick} y={BASE - heightOf(tick)} />
          ))}
        </svg>
        {days.map((day, index) => (
          <Column
            key={day.date}
            day={day}
            left={(100 * index) / days.length}
            width={100 / days.length}
            height={day.sent > 0 ? Math.max(LEAST, heightOf(day.sent)) : 0}
            isShown={shown === index}
            // One stop for Tab: the day looked at last, at first today.
            isStop={index === (shown ?? days.length - 1)}
            onShow={() => setShown(index)}
            onHide={() => setShown(null)}
          />
        ))}
      </svg>
    </fieldset>
  )
}

function Tick({ value, y }: { value: number; y: number }) {
  return (
    <>
      <line
        x1="0"
        x2="100%"
        y1={y}
        y2={y}
        className={value === 0 ? 'stroke-control' : 'stroke-line'}
        shapeRendering="crispEdges"
      />
      <text x={-8} y={y} dy="0.32em" textAnchor="end" className="fill-muted">
        {tickWords(value)}
      </text>
    </>
  )
}

interface ColumnProps {
  day: Day
  /** In percent of the chart. */
  left: number
  width: number
  height: number
  isShown: boolean
  isStop: boolean
  onShow: () => void
  onHide: () => void
}

function Column({ day, left, width, height, isShown, isStop, onShow, onHide }: ColumnProps) {
  return (
    <svg
      data-day
      role="img"
      aria-label={columnWords(day)}
      tabIndex={isStop ? 0 : -1}
      x={`${left}%`}
      width={`${width}%`}
      onFocus={onShow}
      onBlur={onHide}
      onPointerEnter={onShow}
      className="overflow-visible outline-none [&:focus-visible>.ground]:stroke-2 [&:focus-visible>.ground]:stroke-accent"
    >
      <rect
        width="100%"
        y={TOP - 24}
        height={BASE - TOP + 24}
        rx={CORNER}
        className={classes('ground', isShown ? 'fill-hover/60' : 'fill-transparent')}
      />
      {/* Cut off at the zero line, so that only the upper corners are round. */}
      <svg aria-hidden="true" height={BASE}>
        <rect
          x={`${(100 - BAR_WIDTH) / 2}%`}
          width={`${BAR_WIDTH}%`}
          y={BASE - height}
          height={height > 0 ? height + CORNER : 0}
          rx={CORNER}
          className={classes(
            'transition-[y,height] duration-150',
            isShown ? 'fill-delivered-text' : 'fill-delivered',
          )}
        />
      </svg>
      {(isShown || day.sent === 0) && (
        <text
          x="50%"
          y={BASE - height - 8}
          textAnchor="middle"
          className={isShown ? 'fill-ink font-semibold text-sm' : 'fill-muted'}
        >
          {inWords(day.sent)}
        </text>
      )}
      <text
        x="50%"
        y={HEIGHT - 8}
        textAnchor="middle"
        className={isShown ? 'fill-ink font-medium' : 'fill-soft'}
      >
        {day.name}
      </text>
    </svg>
  )
}

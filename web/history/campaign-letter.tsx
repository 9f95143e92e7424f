import { useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { classes } from '../ui/classes.ts'

const HEADING = 'letter-heading'
const TEXT = 'letter-text'

/** The mail as it was written. Plain text, never markup, so nothing in it can act on this page. */
export function CampaignLetter({ body }: { body: string }) {
  const text = useRef<HTMLDivElement>(null)
  const [isLong, setIsLong] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  useLayoutEffect(() => {
    const element = text.current
    if (!element || isOpen) return
    const measure = () => setIsLong(element.scrollHeight > element.clientHeight + 1)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [isOpen])
  return (
    <Card aria-labelledby={HEADING}>
      <CardHeader
        id={HEADING}
        title="The email as sent"
        action={
          isLong && (
            <Button
              size="sm"
              variant="ghost"
              className="-my-2.5 -mr-3 md:-my-1"
              aria-expanded={isOpen}
              aria-controls={TEXT}
              onClick={() => setIsOpen(!isOpen)}
            >
              {isOpen ? 'Show less' : 'Show all'}
            </Button>
          )
        }
      />
      <CardBody>
        {body.trim() === '' ? (
          <p className="text-muted">This email was sent without a text.</p>
        ) : (
          <div
            id={TEXT}
            ref={text}
            dir="auto"
            className={classes(
              'wrap-anywhere max-w-180 whitespace-pre-wrap',
              !isOpen && 'max-h-44 overflow-hidden',
              !isOpen && isLong && 'mask-b-from-60%',
            )}
          >
            {body}
          </div>
        )}
      </CardBody>
    </Card>
  )
}

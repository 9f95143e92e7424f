import { useState } from 'react'
import { piecesOf } from './text-links.ts'
import { blocksOf, type TextBlock } from './text-parts.ts'

/** Longer than any letter; to draw more of it would keep the page busy for seconds. */
const SHOWN_MAX = 200_000

/** The line beside it says the same. */
const MARKS = /^[ \t]?> ?/gm

interface PlainTextProps {
  text: string
  /** What a screen reader calls it. */
  label: string
}

/** Text nodes and links, never markup: nothing that a stranger wrote can act on this page. */
export function PlainText({ text, label }: PlainTextProps) {
  const blocks = blocksOf(text.slice(0, SHOWN_MAX))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a region of its own each would crowd the list of landmarks
    <div role="group" aria-label={label} className="grid grid-cols-1 gap-3">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places
        <Block key={index} block={block} />
      ))}
      {text.length > SHOWN_MAX && (
        <p className="text-muted text-sm">
          The rest is too long to be shown here. The original has all of it.
        </p>
      )}
    </div>
  )
}

function Block({ block: { kind, text, isFolded } }: { block: TextBlock }) {
  const [isOpen, setIsOpen] = useState(!isFolded)
  if (kind === 'own') return <Lines text={text} />
  return (
    <div className="grid grid-cols-1 justify-items-start gap-2">
      {isFolded && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="tap-7 -my-1 flex items-center rounded-md bg-sunken px-3 font-medium text-muted text-sm hover:bg-hover hover:text-ink"
        >
          {isOpen ? 'Hide quoted text' : 'Show quoted text'}
        </button>
      )}
      {isOpen && (
        <blockquote className="w-full border-line border-l-2 pl-3 text-muted">
          <Lines text={text.replace(MARKS, '')} />
        </blockquote>
      )}
    </div>
  )
}

/** Each paragraph finds its own direction, so that none can turn another around. */
function Lines({ text }: { text: string }) {
  return text.split(/\n{2,}/).map((paragraph, index) => (
    <p
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places
      key={index}
      dir="auto"
      className="wrap-anywhere max-w-180 whitespace-pre-wrap not-last:mb-3"
    >
      {piecesOf(paragraph).map(({ text: words, href, host }, place) =>
        href === null ? (
          words
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <bdi key={place}>
            <a
              href={href}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className="text-pending-text underline decoration-pending/40 underline-offset-2 hover:decoration-pending"
            >
              {words}
            </a>
            {host !== null && <span className="text-muted text-sm"> ({host})</span>}
          </bdi>
        ),
      )}
    </p>
  ))
}

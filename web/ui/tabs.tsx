import { Tabs as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

interface TabItem {
  value: string
  label: string
  content: ReactNode
}

/** Views of one thing, side by side; the line under the chosen one is ink, not accent. */
export function Tabs({ items, label }: { items: readonly TabItem[]; label: string }) {
  const [first] = items
  if (!first) return null
  return (
    <Primitive.Root defaultValue={first.value}>
      <Primitive.List aria-label={label} className="flex gap-1 overflow-x-auto border-line border-b">
        {items.map((item) => (
          <Primitive.Trigger
            key={item.value}
            value={item.value}
            className="tap-10 min-w-11 whitespace-nowrap border-transparent border-b-2 px-3 font-medium text-base text-muted -outline-offset-2 transition-colors hover:text-ink data-[state=active]:border-ink data-[state=active]:text-ink"
          >
            {item.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {items.map((item) => (
        <Primitive.Content key={item.value} value={item.value} className="pt-4">
          {item.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  )
}

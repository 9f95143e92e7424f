import { useState } from 'react'
import { Card, CardBody } from '../ui/card.tsx'
import { FateBar } from '../ui/fate-bar.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { Section } from './section.tsx'

const nothing = () => {}

export function ListsSection() {
  const [empty, setEmpty] = useState('')
  const [typed, setTyped] = useState('ann@')
  return (
    <Section title="Lists">
      <div className="grid gap-5 md:grid-cols-2">
        <Card aria-label="Search specimen">
          <CardBody className="grid gap-5">
            <SearchInput
              label="Search the specimen"
              placeholder="Search emails..."
              value={empty}
              onValueChange={setEmpty}
            />
            <SearchInput
              label="Search the other specimen"
              placeholder="Search addresses..."
              value={typed}
              onValueChange={setTyped}
            />
            <FateBar
              thick
              fate={{ accepted: 480, failed: 5, unconfirmed: 12, waiting: 40, cancelled: 80, suppressed: 20 }}
            />
          </CardBody>
        </Card>
        <Card aria-label="Specimens of a list's end">
          <LoadMore hasMore isBusy isLoading={false} error={null} onMore={nothing} />
          <LoadMore hasMore isLoading error={null} onMore={nothing} />
          <LoadMore hasMore isLoading={false} error="503: The database cannot be reached" onMore={nothing} />
        </Card>
      </div>
    </Section>
  )
}

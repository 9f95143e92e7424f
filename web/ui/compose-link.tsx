import { Pencil } from 'lucide-react'
import { Link } from 'wouter'
import { Button } from './button.tsx'

/** To a new email: what there is to do next on a screen that shows earlier ones. */
export function ComposeLink() {
  return (
    <Button asChild variant="primary">
      <Link href="/compose">
        <Pencil aria-hidden="true" className="size-4" />
        Compose Email
      </Link>
    </Button>
  )
}

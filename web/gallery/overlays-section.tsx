import { Copy, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogClose } from '../ui/dialog.tsx'
import {
  DropdownMenu,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
} from '../ui/dropdown-menu.tsx'
import { Explain } from '../ui/explain.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Popover } from '../ui/popover.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { Row, Section } from './section.tsx'

export function OverlaysSection() {
  const [side, setSide] = useState<'left' | 'right'>('right')
  const [open, setOpen] = useState(false)
  const [isPanelOpen, setIsPanelOpen] = useState(false)
  const openFrom = (edge: 'left' | 'right') => {
    setSide(edge)
    setOpen(true)
  }
  return (
    <Section title="Overlays">
      <Row name="Dialog">
        <Dialog
          trigger={<Button>Open a dialog</Button>}
          title="Save as template"
          description="Subject and message are kept under this name."
          footer={
            <>
              <DialogClose asChild>
                <Button variant="ghost">Cancel</Button>
              </DialogClose>
              <Button variant="primary">Save template</Button>
            </>
          }
        >
          <Field label="Template name">{(control) => <Input {...control} />}</Field>
        </Dialog>
      </Row>
      <Row name="Sheet">
        <Button onClick={() => openFrom('left')}>From the left</Button>
        <Button onClick={() => openFrom('right')}>From the right</Button>
        <Sheet open={open} onOpenChange={setOpen} side={side} title="A sheet">
          <p className="p-5 text-muted">Details beside the list they belong to.</p>
        </Sheet>
      </Row>
      <Row name="Menu">
        <DropdownMenu align="start" trigger={<Button>Open a menu</Button>}>
          <DropdownMenuLabel>The autumn letter</DropdownMenuLabel>
          <DropdownMenuItem>
            <RotateCcw aria-hidden="true" /> Resend Email
          </DropdownMenuItem>
          <DropdownMenuItem disabled>
            <Copy aria-hidden="true" /> Copy
          </DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuItem destructive>
            <Trash2 aria-hidden="true" /> Delete
          </DropdownMenuItem>
        </DropdownMenu>
      </Row>
      <Row name="Popover">
        <Popover
          open={isPanelOpen}
          onOpenChange={setIsPanelOpen}
          align="start"
          label="A small panel"
          className="w-64 p-1"
          trigger={<Button>Open a panel</Button>}
        >
          <p className="p-2.5 text-muted text-sm">More than a menu: links, fields, a list.</p>
        </Popover>
      </Row>
      <Row name="List of any length">
        <VirtualList
          label="A hundred thousand rows"
          count={100_000}
          keyOf={String}
          className="h-44 w-72 max-w-full rounded-md border border-line"
        >
          {(index) => (
            <button type="button" className="size-full px-3 text-left -outline-offset-2 hover:bg-hover">
              Row {index + 1}
            </button>
          )}
        </VirtualList>
      </Row>
      <Row name="Tooltip">
        <Tooltip text="Shown after 0.7 seconds">
          <Button>Rest the pointer here</Button>
        </Tooltip>
      </Row>
      <Row name="Explain">
        <span className="flex items-center">
          Delivery rate
          <Explain label="How the delivery rate is counted">Delivered, of all that were accepted.</Explain>
        </span>
      </Row>
    </Section>
  )
}

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
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { Row, Section } from './section.tsx'

export function OverlaysSection() {
  const [side, setSide] = useState<'left' | 'right'>('right')
  const [open, setOpen] = useState(false)
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
      <Row name="Tooltip">
        <Tooltip text="Shown after 0.7 seconds">
          <Button>Rest the pointer here</Button>
        </Tooltip>
      </Row>
    </Section>
  )
}

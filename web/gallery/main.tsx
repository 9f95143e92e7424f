import '../ui/csp.ts'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ThemeToggle } from '../shell/theme-toggle.tsx'
import { BrandMark } from '../ui/brand-mark.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { ButtonsSection } from './buttons-section.tsx'
import { DataSection } from './data-section.tsx'
import { FieldsSection } from './fields-section.tsx'
import { FoundationsSection } from './foundations-section.tsx'
import { ListsSection } from './lists-section.tsx'
import { MessagesSection } from './messages-section.tsx'
import { OverlaysSection } from './overlays-section.tsx'
import '../styles.css'

/* Every part in every state, for whoever changes one. Served by `npm run dev` at /gallery.html, never built. */

const root = document.getElementById('root')
if (!root) throw new Error('gallery.html must hold an element with the id "root"')

createRoot(root).render(
  <StrictMode>
    <TooltipProvider>
      <header className="sticky top-0 z-30 flex h-14 items-center gap-2.5 border-line border-b bg-paper px-4 md:px-6">
        <BrandMark className="size-7" />
        <h1 className="font-semibold text-lg">Gallery</h1>
        <span className="ml-auto">
          <ThemeToggle />
        </span>
      </header>
      <main className="mx-auto grid max-w-300 gap-12 px-4 py-8 md:px-6">
        <FoundationsSection />
        <ButtonsSection />
        <FieldsSection />
        <DataSection />
        <ListsSection />
        <MessagesSection />
        <OverlaysSection />
      </main>
      <Toaster />
    </TooltipProvider>
  </StrictMode>,
)

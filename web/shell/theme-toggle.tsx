import { Moon, Sun } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { useTheme } from './theme.ts'

interface ThemeToggleProps {
  /** Puts something around the button, such as a tooltip: whoever signs in need not load one. */
  around?: (button: ReactElement, words: string) => ReactNode
}

export function ThemeToggle({ around = (button) => button }: ThemeToggleProps) {
  const [theme, setTheme] = useTheme()
  const next = theme === 'dark' ? 'light' : 'dark'
  const Icon = theme === 'dark' ? Sun : Moon
  const words = `Switch to ${next} theme`
  return around(
    <Button variant="ghost" size="icon" aria-label={words} onClick={() => setTheme(next)}>
      <Icon aria-hidden="true" className="size-4.5" />
    </Button>,
    words,
  )
}

import { Moon, Sun } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { useTheme } from './theme.ts'

export function ThemeToggle() {
  const [theme, setTheme] = useTheme()
  const next = theme === 'dark' ? 'light' : 'dark'
  const Icon = theme === 'dark' ? Sun : Moon
  const words = `Switch to ${next} theme`
  return (
    <Tooltip text={words}>
      <Button variant="ghost" size="icon" aria-label={words} onClick={() => setTheme(next)}>
        <Icon aria-hidden="true" className="size-4.5" />
      </Button>
    </Tooltip>
  )
}

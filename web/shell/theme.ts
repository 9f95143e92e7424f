import { useSyncExternalStore } from 'react'

type Theme = 'light' | 'dark'

const STORAGE_KEY = 'theme'
/** The paper of each theme, for the browser's own bars; the same values stand in theme.js and styles.css. */
const PAPER: Record<Theme, string> = { light: '#faf7f2', dark: '#0a0f1e' }

const listeners = new Set<() => void>()

/** theme.js put it on the root before the first paint; the root stays the one place that knows. */
function currentTheme(): Theme {
  return document.documentElement.classList.contains('dark') ? 'dark' : 'light'
}

function apply(theme: Theme): void {
  document.documentElement.classList.remove('light', 'dark')
  document.documentElement.classList.add(theme)
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', PAPER[theme])
  for (const listener of listeners) listener()
}

function setTheme(theme: Theme): void {
  apply(theme)
  try {
    localStorage.setItem(STORAGE_KEY, theme)
  } catch {
    // Storage can be forbidden by the browser; the choice then lasts until the page is left.
  }
}

/** Another tab chose. */
function onStorage(event: StorageEvent): void {
  if (event.key === STORAGE_KEY) apply(event.newValue === 'dark' ? 'dark' : 'light')
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', onStorage)
  }
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, currentTheme), setTheme]
}

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

/** What the user chose last, in whichever tab. */
function savedTheme(): Theme | null {
  try {
    const saved = localStorage.getItem(STORAGE_KEY)
    return saved === 'light' || saved === 'dark' ? saved : null
  } catch {
    return null
  }
}

/** Another tab chose. */
function onStorage(event: StorageEvent): void {
  if (event.key === STORAGE_KEY) apply(event.newValue === 'dark' ? 'dark' : 'light')
}

function subscribe(listener: () => void): () => void {
  const isFirst = listeners.size === 0
  listeners.add(listener)
  if (isFirst) {
    window.addEventListener('storage', onStorage)
    // Before that nobody heard what another tab chose, while this page was loading.
    const saved = savedTheme()
    if (saved !== null && saved !== currentTheme()) apply(saved)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', onStorage)
  }
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, currentTheme), setTheme]
}

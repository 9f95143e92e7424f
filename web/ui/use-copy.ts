import { type RefObject, useEffect, useState } from 'react'

const CONFIRM_MS = 2000

/** Copies what a field holds, and knows for two seconds that it did. */
export function useCopy(field: RefObject<HTMLInputElement | null>) {
  // Counts the copies, so that a second one starts the two seconds anew.
  const [copies, setCopies] = useState(0)
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (copies === 0) return
    setCopied(true)
    const timer = setTimeout(() => setCopied(false), CONFIRM_MS)
    return () => clearTimeout(timer)
  }, [copies])

  const copy = async (): Promise<boolean> => {
    if (!field.current || !(await copyFrom(field.current))) return false
    setCopies((count) => count + 1)
    return true
  }
  return { copied, copy }
}

/** Without HTTPS a browser has no clipboard for pages: there, and where it says no, the old command does it. */
async function copyFrom(field: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value)
    return true
  } catch {
    // If this fails too, the text stays selected for the keyboard.
    field.select()
    return document.execCommand('copy')
  }
}

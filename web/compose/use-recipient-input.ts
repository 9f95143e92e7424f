import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import { entriesOf, takeTyped } from '../../contract/addresses/entries.ts'
import type { Composer } from './use-composer.ts'

/** The text that is not a chip yet: it becomes one by Enter, by a comma and when the field or the page is left. */
export function useRecipientInput({ addRecipients, readRecipients, ...composer }: Composer) {
  const { removeRecipients, recipients, isSending } = composer
  const [text, setText] = useState('')

  const commit = () => {
    if (isSending.current) return
    if (text.trim() === '') return setText('')
    addRecipients(entriesOf(text))
    setText('')
  }

  const type = (value: string) => {
    const taken = takeTyped(value)
    if (!taken) return setText(value)
    addRecipients(taken.entries)
    setText(taken.rest)
  }

  /** One address is pasted as it would be typed; a list becomes chips at once. */
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    if (isSending.current) return
    const pasted = event.clipboardData.getData('text')
    if (!/[,;\r\n]/.test(pasted.trim())) return
    event.preventDefault()
    const { selectionStart, selectionEnd, value } = event.currentTarget
    const before = value.slice(0, selectionStart ?? value.length)
    const after = value.slice(selectionEnd ?? value.length)
    setText('')
    void readRecipients(entriesOf(before + pasted + after))
  }

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, focusLastChip: () => void) => {
    // Enter that ends the writing of a Chinese word is no Enter.
    if (event.nativeEvent.isComposing) return
    const isAtStart = event.currentTarget.selectionStart === 0 && event.currentTarget.selectionEnd === 0
    if (event.key === 'Enter') {
      // With Ctrl it sends, to this one too.
      if (!event.ctrlKey && !event.metaKey) event.preventDefault()
      commit()
    } else if (event.key === 'Backspace' && text === '' && !event.repeat) {
      const last = recipients.all.at(-1)
      if (last) removeRecipients([last])
    } else if (event.key === 'ArrowLeft' && isAtStart && recipients.all.length > 0) {
      event.preventDefault()
      focusLastChip()
    }
  }

  return { text, type, commit, paste, onKeyDown }
}

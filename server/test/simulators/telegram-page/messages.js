// The conversation: one item for each message, replaced only when it has changed.
import { format, link } from './format.js'

const log = document.getElementById('log')
// It scrolls, so the arrow keys must reach it.
log.tabIndex = 0
const list = document.getElementById('messages')
/** What stands there, by the id of the message: its item, and what it was made from. */
const standing = new Map()
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

export function clear() {
  standing.clear()
  list.replaceChildren()
}

/** `acts`: what the buttons of a message do. */
export function showMessages(messages, acts) {
  const wasAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80
  const ids = new Set(messages.map(({ id }) => id))
  for (const [id, { item }] of standing)
    if (!ids.has(id)) {
      item.remove()
      standing.delete(id)
    }
  let hasNew = false
  for (const message of messages) {
    const source = JSON.stringify(message)
    const old = standing.get(message.id)
    if (old?.source === source) continue
    const item = itemOf(message, acts)
    if (old) keepingFocus(old.item, item)
    else list.append(item)
    hasNew ||= !old
    standing.set(message.id, { item, source })
  }
  log.hidden = messages.length === 0
  if (hasNew || wasAtEnd) log.scrollTop = log.scrollHeight
}

/** Whoever has pressed a button finds it again, or what stands in its place. */
function keepingFocus(before, after) {
  const focused = before.contains(document.activeElement) ? document.activeElement.textContent : null
  before.replaceWith(after)
  if (focused === null) return
  const buttons = [...after.querySelectorAll('button')]
  const same = buttons.find(({ textContent }) => textContent === focused)
  const next = same ?? after.querySelector('.key') ?? buttons[0]
  next?.focus({ preventScroll: true })
}

function itemOf(message, acts) {
  const item = make('li', message.isFromBot ? 'from-bot' : 'from-player')
  const bubble = make('div', 'bubble')
  bubble.append(make('span', 'hidden', message.isFromBot ? 'Bot: ' : 'You: '))
  if (message.replyTo !== null) bubble.append(make('p', 'answered', message.replyTo))
  if (message.file !== null) bubble.append(make('p', 'file', message.file))
  const text = make('div', 'text')
  text.append(...format(message.text, message.entities))
  bubble.append(text, footOf(message, acts))
  item.append(bubble)
  for (const row of message.rows) item.append(rowOf(row, message, acts))
  return item
}

function footOf({ id, at, isEdited, isFromBot, text }, acts) {
  const foot = make('p', 'foot')
  const time = make('time', '', `${isEdited ? 'edited ' : ''}${clock.format(at)}`)
  time.dateTime = new Date(at).toISOString()
  foot.append(time)
  if (isFromBot) {
    const reply = make('button', 'reply', 'Reply')
    reply.type = 'button'
    reply.addEventListener('click', () => acts.reply({ id, text }))
    foot.append(reply)
  }
  return foot
}

function rowOf(row, message, acts) {
  const element = make('div', 'row')
  for (const { text, url, callback_data: data } of row) {
    if (url !== undefined) {
      const anchor = link(url, 'key')
      anchor.textContent = `${text} ↗`
      element.append(anchor)
      continue
    }
    const button = make('button', 'key', text)
    button.type = 'button'
    button.addEventListener('click', () => acts.press(button, message.id, data ?? ''))
    element.append(button)
  }
  return element
}

export function make(name, className, text = '') {
  const element = document.createElement(name)
  if (className) element.className = className
  element.textContent = text
  return element
}

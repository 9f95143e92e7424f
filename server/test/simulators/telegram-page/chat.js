// The page around the conversation: who one is, what one writes, and what the bot says to a press.
import { clear, make, showMessages } from './messages.js'

const TOAST_MS = 4000
const part = (id) => document.getElementById(id)
const text = part('text')
const query = new URLSearchParams(location.search)

let player = query.get('player') ?? ''
let replyTo = null
let events = null
let toastEnds = 0

try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage can be forbidden by the browser; the system's theme then applies.
}

async function act(path, body, headers = { 'content-type': 'application/json' }) {
  const [name, search = ''] = path.split('?')
  const answer = await fetch(`/chat/${name}?${new URLSearchParams({ player })}&${search}`, {
    method: 'POST',
    headers: { 'x-chat': '1', ...headers },
    body: headers['content-type'] === 'application/json' ? JSON.stringify(body) : body,
  }).catch(() => null)
  if (!answer) return say('The simulator is not there any more')
  if (answer.ok) return answer.json().catch(() => null)
  say((await answer.json().catch(() => null))?.message ?? `That failed (${answer.status})`)
  return null
}

function say(words) {
  part('toast').textContent = words
  clearTimeout(toastEnds)
  toastEnds = setTimeout(() => part('toast').replaceChildren(), TOAST_MS)
}

async function press(button, messageId, data) {
  button.setAttribute('aria-busy', 'true')
  const answer = await act('press', { messageId, data })
  button.removeAttribute('aria-busy')
  if (!answer?.text) return
  if (!answer.isAlert) return say(answer.text)
  part('alert-text').textContent = answer.text
  part('alert').showModal()
}

function reply(message) {
  replyTo = message?.id ?? null
  part('quote').hidden = message === null
  part('quoted').textContent = message?.text ?? ''
  text.focus()
}

function watch() {
  events?.close()
  clear()
  events = new EventSource(`/chat/events?${new URLSearchParams({ player })}`)
  events.addEventListener('message', ({ data }) => show(JSON.parse(data)))
}

function show({ bot, players, player: current, access, commands, messages }) {
  player = String(current)
  document.title = `${bot.name} · chat`
  const isOpen = access === 'open'
  part('write').hidden = !isOpen
  part('menu').hidden = !isOpen || commands.length === 0
  part('start').hidden = isOpen && messages.length > 0
  part('empty').hidden = messages.length > 0
  showPlayers(players, isOpen)
  showCommands(commands)
  showMessages(messages, { press, reply })
}

/** Only where they are others: whoever has reached one with the keyboard stays there. */
function replaceButtons(place, source, make) {
  if (place.dataset.source === source) return
  place.dataset.source = source
  place.replaceChildren(...make())
}

function showPlayers(players, isOpen) {
  replaceButtons(part('players'), JSON.stringify([players, isOpen]), () => [
    ...players.map(({ id, name }) => {
      const button = make('button', '', name)
      button.addEventListener('click', () => choose(String(id)))
      button.dataset.player = id
      return button
    }),
    ...(isOpen ? [blockButton()] : []),
  ])
  for (const button of part('players').querySelectorAll('[data-player]'))
    button.setAttribute('aria-pressed', String(button.dataset.player === player))
}

function blockButton() {
  const button = make('button', 'block', 'Block the bot')
  button.addEventListener('click', () => act('block', {}))
  return button
}

function choose(id) {
  player = id
  history.replaceState(null, '', `?${new URLSearchParams({ player })}`)
  reply(null)
  watch()
}

function showCommands(commands) {
  replaceButtons(part('commands'), JSON.stringify(commands), () =>
    commands.map(({ command, description }) => {
      const button = make('button', '', `/${command}`)
      button.title = description
      button.addEventListener('click', () => act('say', { text: `/${command}`, replyTo: null }))
      return button
    }),
  )
}

const sendFile = (file) =>
  act(`file?${new URLSearchParams({ name: file.name })}`, file, {
    'content-type': 'application/octet-stream',
  })

/** As tall as what is written, up to a third of the screen. */
function grow() {
  text.rows = Math.min(8, text.value.split('\n').length)
}

part('write').addEventListener('submit', async (event) => {
  event.preventDefault()
  const words = text.value
  if (words.trim() === '') return
  const answered = replyTo
  text.value = ''
  grow()
  reply(null)
  await act('say', { text: words, replyTo: answered })
})
part('code-form').addEventListener('submit', async (event) => {
  event.preventDefault()
  await act('start', { code: part('code').value })
  part('code').value = ''
  text.focus()
})
text.addEventListener('input', grow)
text.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && replyTo !== null) reply(null)
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
  event.preventDefault()
  part('write').requestSubmit()
})
part('cancel-reply').addEventListener('click', () => reply(null))
part('start').addEventListener('click', () => act('start', { code: '' }))
part('attach').addEventListener('click', () => part('file').click())
part('file').addEventListener('change', async ({ target }) => {
  for (const file of target.files) await sendFile(file)
  target.value = ''
})
document.addEventListener('dragover', (event) => event.preventDefault())
document.addEventListener('drop', async (event) => {
  event.preventDefault()
  for (const file of event.dataTransfer?.files ?? []) await sendFile(file)
})

const code = query.get('start')
if (code !== null) {
  // Once: a page that is loaded again does not start again.
  history.replaceState(null, '', player ? `?${new URLSearchParams({ player })}` : '/chat')
  await act('start', { code })
}
watch()

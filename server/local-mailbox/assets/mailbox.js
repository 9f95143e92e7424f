// The page works without this file; with it, new mail appears by itself. Runs in the head, before the first paint.
;(() => {
  const POLL_MS = 2000

  try {
    const theme = localStorage.getItem('theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  } catch {
    // Storage can be forbidden by the browser; the system's theme then applies.
  }

  const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  function showTimes() {
    for (const time of document.querySelectorAll('time')) {
      const date = new Date(time.dateTime)
      const minutes = Math.floor((Date.now() - date.getTime()) / 60_000)
      time.title = day.format(date)
      time.textContent = minutes < 1 ? 'just now' : minutes < 60 ? `${minutes} min ago` : day.format(date)
    }
  }

  /** Asks for the newest message only; the page itself is fetched again when that is another one. */
  async function look() {
    const mailbox = document.getElementById('mailbox')
    const here = new URLSearchParams(location.search)
    const to = here.get('to') ?? ''
    const answer = await fetch(`/local-mailbox/messages?limit=1&to=${encodeURIComponent(to)}`)
    if (!answer.ok) return
    const [newest] = await answer.json()
    if (!newest || newest.id === mailbox.dataset.newest) return

    // What the reader picked stays open; a page that was just left open follows the newest, such as a second code.
    const isChosen = mailbox.dataset.chosen === 'true'
    const page = await fetch(`/local-mailbox?${here}`)
    if (!page.ok) return
    const fresh = new DOMParser().parseFromString(await page.text(), 'text/html')
    if (isChosen) replaceList(mailbox, fresh)
    else mailbox.replaceWith(fresh.getElementById('mailbox'))
    document.getElementById('announcer').textContent = `New mail for ${newest.to}: ${newest.subject}`
    showTimes()
  }

  /** Only the list changes: what is being read stays, and so do the focus and the scroll of the list. */
  function replaceList(mailbox, fresh) {
    const list = document.getElementById('messages')
    const focused = list.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null
    const { scrollTop } = list
    list.replaceChildren(...fresh.getElementById('messages').childNodes)
    list.scrollTop = scrollTop
    mailbox.dataset.newest = fresh.getElementById('mailbox').dataset.newest
    if (focused) list.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true })
  }

  async function poll() {
    if (!document.hidden) await look().catch(() => {})
    setTimeout(poll, POLL_MS)
  }

  document.addEventListener('DOMContentLoaded', () => {
    showTimes()
    setInterval(showTimes, 30_000)
    setTimeout(poll, POLL_MS)
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) look().catch(() => {})
    })
  })
})()

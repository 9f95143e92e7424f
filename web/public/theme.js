// Runs before the first paint, so it is a small file of its own and not part of the bundle.
;(() => {
  let theme = 'light'
  try {
    if (localStorage.getItem('theme') === 'dark') theme = 'dark'
  } catch {
    // Storage can be forbidden by the browser; the default theme still works.
  }
  document.documentElement.classList.add(theme)
  const colour = document.querySelector('meta[name="theme-color"]')
  if (colour && theme === 'dark') colour.setAttribute('content', '#0a0f1e')
})()

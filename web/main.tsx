import './ui/csp.ts'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './styles.css'

const root = document.getElementById('root')
if (!root) throw new Error('index.html must hold an element with the id "root"')

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)

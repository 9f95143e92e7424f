import { readFileSync } from 'node:fs'

/** Ink, paper and the mark: what every page made by the server begins with. */
export const BASE_STYLES = readFileSync(new URL('base.css', import.meta.url), 'utf8')

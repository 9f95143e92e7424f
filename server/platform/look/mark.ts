import { html } from './html.ts'

/** The post horn; its colours come with the base styles. */
export const MARK = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect class="ground" width="32" height="32" rx="7.5"/><g transform="rotate(-14 16 16)"><path class="stroke" d="M5.5 11.75H19"/><circle class="stroke" cx="13" cy="17.25" r="5.5"/><path class="bell" d="M17.5 10.5c4.2 0 7-1.7 9.2-4.8.3-.5 1-.3 1 .3v11.5c0 .6-.7.8-1 .3-2.2-3.1-5-4.8-9.2-4.8Z"/></g></svg>`

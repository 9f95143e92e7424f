import { fileURLToPath } from 'node:url'

/** Tests start hundreds of processes of the same few programs: Node keeps what it compiled of them, by content. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url)),
}

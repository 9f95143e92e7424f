/** All that a test of the browser half may know of Node: its full types would let browser code use `process`. */
declare module 'node:fs' {
  export function readFileSync(path: URL, encoding: 'utf8'): string
}

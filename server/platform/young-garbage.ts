import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// V8 hands its collector out only where it is asked to; as a flag of the start it would be missing from a unit or a
// container that calls Node by itself.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (how: { type: 'minor' }) => void

/**
 * Clears away what has just been read and is no longer needed; it takes about a millisecond. Left alone, V8 waits until
 * 32 MB of buffers lie about, since it goes by the size of its own heap, where each of them is a few bytes.
 */
export const clearYoungGarbage = (): void => collect({ type: 'minor' })

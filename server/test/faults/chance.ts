/** Chance that can be repeated: the same seed gives the same run of numbers from 0 to 1 (mulberry32). */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A number from 0 to 1 that depends on what is asked about and not on when: the order of events differs between runs. */
export function chanceOf(seed: number, ...about: (string | number)[]): number {
  // FNV-1a over the text, then one step of the generator so that close texts give distant numbers.
  let hash = 0x811c9dc5 ^ seed
  for (const character of about.join('\n')) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return mulberry32(hash)()
}

/** A whole number from `least` to `most`. */
export const between = (chance: () => number, least: number, most: number): number =>
  least + Math.floor(chance() * (most - least + 1))

/**
 * `npm test` has to be over in ten minutes on two cores, so it plays each promise, and `npm run test:all` the further ways
 * in which it could break: unusual orders, other tabs and devices, each further provider, limits, rare states.
 */
export const TAGS = [
  {
    name: 'thorough',
    description: 'A further way in which a promise could break.',
  },
]

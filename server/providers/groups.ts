type Limits<T> = {
  /** The most members of a group. */
  most: number
  /** The most that they may come to together; a larger one goes alone. */
  room: number
  sizeOf: (member: T) => number
}

/** As few groups as the limits allow, in their order. */
export function inGroups<T>(members: readonly T[], { most, room, sizeOf }: Limits<T>): T[][] {
  const groups: T[][] = []
  let group: T[] = []
  let size = 0
  for (const member of members) {
    const own = sizeOf(member)
    if (group.length > 0 && (group.length === most || size + own > room)) {
      groups.push(group)
      group = []
      size = 0
    }
    group.push(member)
    size += own
  }
  return group.length > 0 ? [...groups, group] : groups
}

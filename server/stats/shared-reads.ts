/**
 * Who asks for the same at the same time shares one reading. It begins after the last of them has asked: a reading that
 * is under way may have missed what they know already, so they share the next one.
 */
export function shareReads<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const turns = new Map<string, { running: Promise<T>; next: Promise<T> | null }>()

  function begin(key: string): Promise<T> {
    const turn: { running: Promise<T>; next: Promise<T> | null } = { running: read(key), next: null }
    turns.set(key, turn)
    const end = () => {
      if (turn.next === null) turns.delete(key)
    }
    turn.running.then(end, end)
    return turn.running
  }

  return (key) => {
    const turn = turns.get(key)
    if (!turn) return begin(key)
    const beginNext = () => begin(key)
    turn.next ??= turn.running.then(beginNext, beginNext)
    return turn.next
  }
}

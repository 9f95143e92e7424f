import { tooMany } from './telegram-refusal.ts'
import type { Chat } from './telegram-world.ts'

export type TelegramLimits = {
  chatPerSecond: number
  /** How many may come at once in one chat. */
  chatBurst: number
  overallPerSecond: number
  groupPerMinute: number
}

/** What Telegram tells bot makers to stay under. It promises no exact numbers. */
export const DOCUMENTED_LIMITS: TelegramLimits = {
  chatPerSecond: 1,
  chatBurst: 5,
  overallPerSecond: 30,
  groupPerMinute: 20,
}

/** The same shape in less time: `faster(DOCUMENTED_LIMITS, 10)`. */
export const faster = (limits: TelegramLimits, times: number): TelegramLimits => ({
  chatPerSecond: limits.chatPerSecond * times,
  chatBurst: limits.chatBurst,
  overallPerSecond: limits.overallPerSecond * times,
  groupPerMinute: limits.groupPerMinute * times,
})

export type Limits = {
  /** Takes one message's worth, or refuses with the seconds to wait. */
  count(chat: Chat): void
  set(limits: TelegramLimits | null): void
}

type Bucket = { left: number; at: number }

export function createLimits(first: TelegramLimits | null, now: () => number): Limits {
  let limits = first
  const buckets = new Map<string, Bucket>()

  /** How long until there is one left; the bucket as it is now. */
  function look(name: string, perSecond: number, size: number): { bucket: Bucket; seconds: number } {
    const bucket = buckets.get(name) ?? { left: size, at: now() }
    bucket.left = Math.min(size, bucket.left + ((now() - bucket.at) / 1000) * perSecond)
    bucket.at = now()
    buckets.set(name, bucket)
    return { bucket, seconds: bucket.left >= 1 ? 0 : (1 - bucket.left) / perSecond }
  }

  return {
    count(chat) {
      if (!limits) return
      const { chatPerSecond, chatBurst, overallPerSecond, groupPerMinute } = limits
      const looks = [
        look('overall', overallPerSecond, overallPerSecond),
        chat.type === 'private'
          ? look(`chat ${chat.id}`, chatPerSecond, chatBurst)
          : look(`chat ${chat.id}`, groupPerMinute / 60, groupPerMinute),
      ]
      const seconds = Math.max(...looks.map((one) => one.seconds))
      if (seconds > 0) throw tooMany(Math.ceil(seconds))
      for (const { bucket } of looks) bucket.left -= 1
    },
    set(next) {
      limits = next
      buckets.clear()
    },
  }
}

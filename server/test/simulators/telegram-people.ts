import { createTalk, type Talk } from './telegram-talk.ts'
import type { Updates } from './telegram-updates.ts'
import type { Chat, User, World } from './telegram-world.ts'

export type PersonOptions = {
  firstName: string
  lastName?: string
  username?: string
  languageCode?: string
  id?: number
  /** Has talked with the bot before. */
  hasStarted?: boolean
}

export type Person = Talk & {
  user: User
  /** Presses Start, after a deep link with its payload; unblocks the bot first where it is blocked. */
  starts(payload?: string): Promise<void>
  blocks(): void
}

type Group = {
  id: number
  /** What this member says, presses and sees here. */
  as(person: Person): Talk
  removesBot(): void
}

export type People = {
  person(options: PersonOptions): Person
  group(members: readonly Person[], options?: { title?: string }): Group
}

/** Larger than 32 bits hold, as those of new accounts are. */
const FIRST_PERSON = 6_012_345_000
const FIRST_GROUP = -4_012_345_000

export function createPeople(world: World, updates: Updates): People {
  let people = 0
  let groups = 0

  /** Tells the bot what it has become in a chat. */
  function tellMembership(chat: Chat, from: User, [before, after]: readonly [string, string]): void {
    const member = (status: string) => ({
      user: world.bot,
      status,
      ...(status === 'kicked' ? { until_date: 0 } : {}),
    })
    updates.push(
      'my_chat_member',
      { chat, from, date: world.seconds(), old_chat_member: member(before), new_chat_member: member(after) },
      chat.id,
    )
  }

  return {
    person({ firstName, lastName, username, languageCode = 'en', id, hasStarted = false }) {
      people += 1
      const names = {
        first_name: firstName,
        ...(lastName === undefined ? {} : { last_name: lastName }),
        ...(username === undefined ? {} : { username }),
      }
      const user: User = {
        id: id ?? FIRST_PERSON + people,
        is_bot: false,
        ...names,
        language_code: languageCode,
      }
      const chat: Chat = { id: user.id, type: 'private', ...names }
      const room = world.open(chat, hasStarted ? 'open' : 'not-started')
      const talk = createTalk(world, updates, room, user)
      return {
        ...talk,
        user,
        async starts(payload) {
          if (room.access === 'blocked') tellMembership(chat, user, ['kicked', 'member'])
          room.access = 'open'
          await talk.says(payload === undefined ? '/start' : `/start ${payload}`)
        },
        blocks() {
          room.access = 'blocked'
          world.changed(room)
          tellMembership(chat, user, ['member', 'kicked'])
        },
      }
    },

    group(members, { title = 'A group' } = {}) {
      groups += 1
      const [first] = members
      if (!first) throw new Error('a group has at least one member')
      const chat: Chat = { id: FIRST_GROUP - groups, type: 'group', title }
      const room = world.open(chat, 'open')
      tellMembership(chat, first.user, ['left', 'member'])
      return {
        id: chat.id,
        as: (person) => createTalk(world, updates, room, person.user),
        removesBot() {
          room.access = 'kicked'
          tellMembership(chat, first.user, ['member', 'kicked'])
        },
      }
    },
  }
}

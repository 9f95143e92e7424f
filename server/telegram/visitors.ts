import { Composer } from 'grammy'
import { accountOf } from './bot.ts'
import { say, type Visit } from './chat.ts'
import type { Linked, Links } from './links.ts'
import { type Markup, markup } from './markup.ts'

/** What somebody says who may not be linked yet: the code that links them. */
export function createVisitors({ links }: { links: Pick<Links, 'link' | 'personOf'> }): Composer<Visit> {
  const visitors = new Composer<Visit>()

  visitors.command(['start', 'link'], async (visit, next) => {
    const code = visit.match.trim()
    const { from } = visit
    if (code === '') return visit.hasCommand('link') ? askForCode(visit) : next()
    if (from) await say(visit, { text: sentenceOf(await links.link(code, accountOf(from))) })
  })
  return visitors
}

const askForCode = (visit: Visit) =>
  say(visit, {
    text: markup`Send the code from the Settings screen behind the command: <code>/link CODE</code>`,
  })

function sentenceOf(linked: Linked): Markup {
  switch (linked.outcome) {
    case 'linked':
      return markup`✅ Linked to <b>${linked.email}</b>.

From here you can watch and run your campaigns, and answer mail. /help lists what I can do.`
    case 'linked-before':
      return markup`This Telegram account is linked to <b>${linked.email}</b>. To link it to another account, send /unlink first.`
    case 'account-taken':
      return markup`<b>${linked.email}</b> is linked to another Telegram account. Unlink that one in Settings first.`
    case 'unknown-code':
      return markup`I do not know this code. A code is good for ten minutes and for one link; make a new one in Settings.`
  }
}

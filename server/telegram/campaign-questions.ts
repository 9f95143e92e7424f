import { cancelWords } from '../../contract/cancelling.ts'
import { isMoving } from '../../contract/under-way.ts'
import type { Failures } from '../campaigns/failures.ts'
import { pressOf, resendPressOf, type ShownCampaign, titleOf } from './campaign-card.ts'
import { type Button, joined, type Message, markup, oneLine } from './markup.ts'

/** What a card changes into for a moment: a question, or more about one of its counts. */

/** As many as one reads. */
const REASONS_SHOWN = 10
export const ADDRESSES_SHOWN = 10
const REASON_MAX = 200
const ADDRESS_MAX = 100

const inWords = (count: number): string => count.toLocaleString('en-US')

/** It cannot be undone, so it names what stops and what does not. */
export function cancelQuestion(campaign: ShownCampaign): Message {
  const { queued } = campaign.counts
  return {
    text: joined(
      [
        markup`Cancel <b>${titleOf(campaign)}</b>?`,
        ...cancelWords(campaign, inWords).map((words) => markup`${words}`),
      ],
      '\n\n',
    ),
    buttons: [
      [
        {
          text: queued > 0 ? `Yes, cancel ${inWords(queued)} that wait` : 'Yes, cancel',
          press: pressOf('cancel', campaign),
        },
        { text: 'Keep sending', press: pressOf('show', campaign) },
      ],
    ],
  }
}

export function failuresMessage(campaign: ShownCampaign, { reasons, read }: Failures): Message {
  const { failed } = campaign.counts
  const shown = reasons.slice(0, REASONS_SHOWN)
  const others = reasons.slice(REASONS_SHOWN)
  const parts = [
    markup`<b>${titleOf(campaign)}</b>
🟥 <b>${failed}</b> failed, by reason:`,
    ...shown.map(
      ({ reason, count }) =>
        markup`<b>${count}</b> × ${oneLine(reason ?? 'The provider refused it and gave no reason', REASON_MAX)}`,
    ),
    others.length > 0
      ? markup`and ${sum(others)} more for ${others.length} other ${others.length === 1 ? 'reason' : 'reasons'}`
      : null,
    campaign.isRestored
      ? markup`They had not got it when the copy of the database was made that was put in place since. Whether they got it after that, nobody can say.`
      : null,
    read < failed ? markup`These are the first ${read} of them; the rest was not read.` : null,
  ]
  const retry: Button[] = isMoving(campaign)
    ? []
    : [{ text: `🔁 Retry failed (${inWords(failed)})`, press: pressOf('retry', campaign) }]
  return {
    text: joined(
      parts.filter((part) => part !== null),
      '\n\n',
    ),
    buttons: [[...retry, back(campaign)]],
  }
}

const sum = (reasons: Failures['reasons']): number => reasons.reduce((all, { count }) => all + count, 0)

export function unconfirmedMessage(campaign: ShownCampaign): Message {
  const { unknown } = campaign.counts
  return {
    text: markup`<b>${titleOf(campaign)}</b>
⬜ <b>${unknown}</b> unconfirmed

${campaign.isRestored ? 'Postrider stopped while this mail was on its way, the provider gave no clear answer, or a copy of the database was put in place while it waited.' : 'Postrider stopped while this mail was on its way, or the provider gave no clear answer.'} Whether ${unknown === 1 ? 'this recipient' : `these ${inWords(unknown)} recipients`} got it, nobody can say; a later report from the provider settles it. It is never sent again by itself.`,
    buttons: [
      // While others are on their way some of these may still be settled.
      ...(campaign.state === 'sending'
        ? []
        : [[{ text: 'Resend to unconfirmed', press: pressOf('ask-resend', campaign) }]]),
      [back(campaign)],
    ],
  }
}

/** Nobody is mailed a second time before the person who asks for it has seen who that may be. */
export function resendQuestion(campaign: ShownCampaign, addresses: readonly string[]): Message {
  const { unknown } = campaign.counts
  const more = unknown - addresses.length
  const who =
    unknown === 1
      ? 'This recipient may get this email twice.'
      : `Some of these ${inWords(unknown)} recipients may get this email twice.`
  return {
    text: markup`Resend <b>${titleOf(campaign)}</b> to unconfirmed?

⚠️ ${who} The mail may have arrived although nobody confirmed it. It is sent again to:
${addresses.map((address) => markup`• ${oneLine(address, ADDRESS_MAX)}`)}${more > 0 ? markup`\nand ${more} more` : ''}

Whoever is on your suppression list is left out.`,
    buttons: [
      [
        { text: `Resend to ${inWords(unknown)}`, press: resendPressOf(campaign) },
        { text: 'Leave them', press: pressOf('show', campaign) },
      ],
    ],
  }
}

const back = (campaign: ShownCampaign): Button => ({ text: '‹ Back', press: pressOf('show', campaign) })

import type { TemplateForm } from './template-form.ts'

interface Starter {
  form: TemplateForm
  /** What it is good for. */
  purpose: string
}

/** Offered where there is nothing yet. What stands in brackets is for the writer to fill in. */
export const STARTERS: readonly Starter[] = [
  {
    purpose: 'Greets somebody who has just joined',
    form: {
      name: 'Welcome',
      subject: 'Welcome to [your organisation]',
      body: `Hello,

it is good to have you with us.

Three things to begin with:
- [the first thing to do]
- [where to find help]
- [what happens next]

If anything is unclear, just reply to this email. A person reads it.

[Your name]`,
    },
  },
  {
    purpose: 'Tells many people what is new',
    form: {
      name: 'Newsletter',
      subject: 'News in [month]',
      body: `Hello,

here is what happened since the last letter.

[First headline]
[Two or three sentences, and a link for those who want more.]

[Second headline]
[Two or three sentences.]

Coming up
[Date]: [event]

Until next month,
[Your name]

You receive this because you asked for it. Reply with "stop" and it was the last one.`,
    },
  },
  {
    purpose: 'Asks kindly for a payment that is late',
    form: {
      name: 'Invoice reminder',
      subject: 'Invoice [number] is still open',
      body: `Hello,

our invoice [number] of [date] over [amount] was due on [due date], and we have not seen a payment yet.

Perhaps it slipped through: please transfer the amount by [new date], with the invoice number as the reference. If it is already on its way, there is nothing left to do.

Is something wrong with the invoice? Reply to this email and we will sort it out.

Kind regards
[Your name]`,
    },
  },
]

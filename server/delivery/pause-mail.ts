import type { ProductMail } from '../product-mail/service.ts'

/** Tells a user what happened while nobody was looking at the screen. */
export const pauseMail = (to: string, reason: string, publicUrl: URL): ProductMail => ({
  to,
  subject: 'Your campaigns are paused',
  content: {
    preview: 'Too many emails came back or were reported as spam. Nothing more leaves until you have looked.',
    heading: 'Your campaigns are paused',
    intro: [`${reason}.`],
    button: { label: 'Look at my campaigns', url: new URL('/history', publicUrl).href },
    outro: [
      'Nobody is lost: whoever has not been written to yet is still waiting, and gets the email once you resume.',
    ],
    reason: `You send emails at ${publicUrl.origin}`,
  },
})

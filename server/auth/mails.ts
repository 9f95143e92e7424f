import type { ProductMail } from '../product-mail/service.ts'

/** What the accounts' mails say. Every link starts from PUBLIC_URL, never from anything a request named. */

const link = (publicUrl: URL, path: string, query: Record<string, string> = {}): string => {
  const url = new URL(path, publicUrl)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

export const codeMail = (
  to: string,
  { registrationId, code }: { registrationId: string; code: string },
  publicUrl: URL,
): ProductMail => ({
  to,
  subject: `${code} is your Postrider code`,
  content: {
    preview: 'Enter this code to finish signing up. It is valid for 15 minutes.',
    heading: 'Confirm your e-mail address',
    intro: ['Enter this code on the page where you signed up:'],
    code,
    button: {
      label: 'Confirm my address',
      url: link(publicUrl, '/verify-email', { userId: registrationId, code }),
    },
    outro: [
      'The code and the button are valid for 15 minutes and work once.',
      'If you did not sign up, ignore this mail and press nothing: without the code no account is made.',
    ],
    reason: `Somebody entered this address to sign up at ${publicUrl.origin}`,
  },
})

export const knownAddressMail = (to: string, publicUrl: URL): ProductMail => ({
  to,
  subject: 'You already have a Postrider account',
  content: {
    preview: 'Somebody tried to sign up with your address. You can simply sign in.',
    heading: 'You already have an account',
    intro: [
      'Somebody, perhaps you, tried to sign up with this address. It already has an account, so nothing was changed.',
    ],
    button: { label: 'Sign in', url: link(publicUrl, '/sign-in') },
    outro: [
      `Forgotten your password? Set a new one at ${link(publicUrl, '/forgot-password')}`,
      'If this was not you, you need not do anything.',
    ],
    reason: `Somebody entered this address to sign up at ${publicUrl.origin}`,
  },
})

/** The screen where a new password is set, by whoever holds the link. */
export const resetLink = (token: string, publicUrl: URL): string =>
  link(publicUrl, '/reset-password', { token })

export const resetMail = (to: string, token: string, publicUrl: URL): ProductMail => ({
  to,
  subject: 'Set a new Postrider password',
  content: {
    preview: 'The link is valid for one hour and works once.',
    heading: 'Set a new password',
    intro: ['You asked for a new password. Choose it here:'],
    button: { label: 'Set a new password', url: resetLink(token, publicUrl) },
    outro: [
      'The link is valid for one hour and works once. Until you use it, your old password stays.',
      'If you did not ask for this, ignore this mail: nobody can change your password without the link.',
    ],
    reason: `Somebody entered this address to reset a password at ${publicUrl.origin}`,
  },
})

const UNLINKED =
  'The Telegram account that was linked to it has been unlinked; you can link yours again in Settings.'

export const passwordChangedMail = (
  { email, wasUnlinked }: { email: string; wasUnlinked: boolean },
  publicUrl: URL,
): ProductMail => ({
  to: email,
  subject: 'Your Postrider password was changed',
  content: {
    preview: 'You have been signed out everywhere.',
    heading: 'Your password was changed',
    intro: [
      'The password of your account was just changed, and all browsers were signed out.',
      ...(wasUnlinked ? [UNLINKED] : []),
    ],
    button: { label: 'Sign in', url: link(publicUrl, '/sign-in') },
    outro: [`If this was not you, take your account back now: ${link(publicUrl, '/forgot-password')}`],
    reason: `The password of your account at ${publicUrl.origin} was changed`,
  },
})

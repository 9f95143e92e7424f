import type { Settings } from '../../contract/settings.ts'

export interface Step {
  title: string
  text: string
  /** In its place once the step is done. */
  done: string
  action: string
  href: string
}

export const STEPS: readonly Step[] = [
  {
    title: 'Add your sender information',
    text: 'Recipients see your name, and their replies come to your address.',
    done: 'Recipients see your name, and replies come to you.',
    action: 'Open Settings',
    href: '/settings',
  },
  {
    title: 'Write your first email',
    text: 'To yourself, to try it out, or to everybody at once.',
    done: 'Written.',
    action: 'Compose',
    href: '/compose',
  },
  {
    title: 'Watch it arrive',
    text: 'Each recipient is accounted for, one by one.',
    done: 'Arrived.',
    action: 'Open History',
    href: '/history',
  },
]

/** The last two happen together: after the first email there are no first steps any more. */
export const currentStep = (settings: Pick<Settings, 'fromName' | 'fromEmail'> | undefined): number =>
  settings && settings.fromName.trim() !== '' && settings.fromEmail.trim() !== '' ? 1 : 0

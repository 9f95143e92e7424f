import { SENT_BEFORE } from '../contract/sent-before.ts'
import {
  addRecipients,
  aWriter,
  chips,
  DRAFTS,
  draftsButton,
  message,
  openComposer,
  paste,
  recipientInput,
  SEND,
  saved,
  sendButton,
  storeDraft,
  write,
} from './compose-steps.ts'
import { closeOpen, holdForNext, letThrough } from './going-on.ts'
import { eventually } from './harness.ts'
import type { State, World } from './state.ts'
import { answerWith, button, field } from './steps.ts'
import { suppress } from './suppressions-steps.ts'

const LETTER = `Dear all,

the autumn letter is here: https://example.test/autumn
It tells of three new colleagues, and of the harvest.

Yours,
Ann`

const many = (count: number): string =>
  Array.from({ length: count }, (_, index) => `reader${index + 1}@example.test`).join('\n')

const full = {
  to: ['bob@example.test', 'Carla Diaz <carla@example.test>'],
  subject: 'The autumn letter',
  body: LETTER,
}

const DRAFT = '11111111-1111-4111-8111-111111111111'

export const COMPOSE_STATES: State[] = [
  {
    name: 'compose, empty',
    show: async ({ page, site }) => void (await openComposer(page, site)),
  },
  {
    name: 'compose, written and saved',
    goesOn: true,
    async show({ page }) {
      await write(page, full)
      await saved(page)
    },
  },
  {
    name: 'compose, saving as a template',
    goesOn: true,
    async show({ page }) {
      await button(page, 'Save as Template').click()
      await field(page, 'Template Name').waitFor()
    },
  },
  {
    name: 'compose, preview',
    goesOn: true,
    async show({ page }) {
      await closeOpen(page)
      await button(page, 'Preview').click()
      await page.frameLocator('iframe').getByText('Dear all').waitFor()
    },
  },
  {
    name: 'compose, sending',
    goesOn: true,
    async show({ page }) {
      await closeOpen(page)
      await holdForNext(page, SEND)
      await sendButton(page).click()
      await button(page, 'Sending...').waitFor()
    },
  },
  {
    name: 'compose, sent',
    goesOn: true,
    toast: 'Email Sent',
    show: async ({ page }) => letThrough(page),
  },
  {
    name: 'compose, drafts',
    goesOn: true,
    // On a phone the panel lies over half of the recipients, as a menu does.
    only: 'desktop',
    async show({ page }) {
      await write(page, full)
      await saved(page)
      await page.getByTestId('link-compose').click()
      await eventually(() => chips(page)).toEqual([])
      await addRecipients(page, 'dora@example.test')
      await saved(page)
      await draftsButton(page).click()
      await page.getByRole('list', { name: 'Drafts' }).waitFor()
    },
  },
  {
    name: 'compose without sender information',
    async show({ page, site }) {
      await (await aWriter(site, { sender: null })).signInOn(page)
      await page.goto('/compose')
      await page.getByText('Sender Information Required').waitFor()
    },
  },
  {
    name: 'compose, many recipients and some that look wrong',
    rare: true,
    async show({ page, site }) {
      await openComposer(page, site)
      await write(page, { ...full, to: ['ann@', 'bob@example.test'] })
      await paste(recipientInput(page), `${many(1_204)}\nbob@example.test\nnot an address`)
      await page.getByText('+', { exact: false }).first().waitFor()
      await saved(page)
    },
  },
  {
    name: 'compose, looking through the recipients',
    goesOn: true,
    async show({ page }) {
      await page.getByRole('button', { name: /more$/ }).click()
      await page.getByRole('dialog', { name: 'Recipients' }).waitFor()
    },
  },
  {
    name: 'compose, some left out',
    rare: true,
    async show({ page, site }) {
      const { userId } = await openComposer(page, site)
      await suppress(site, userId, [
        { address: 'gone@example.test', reason: 'hard-bounce' },
        { address: 'tired@example.test', reason: 'unsubscribed' },
      ])
      await write(page, { ...full, to: ['bob@example.test', 'gone@example.test', 'tired@example.test'] })
      await page.getByText('2 suppressed and left out').waitFor()
      await saved(page)
    },
  },
  {
    name: 'compose, who is left out',
    goesOn: true,
    // On a phone the panel lies over half of the message, as a menu does.
    only: 'desktop',
    async show({ page }) {
      await button(page, '2 suppressed and left out').click()
      await page.getByRole('dialog', { name: 'Suppressed and left out' }).waitFor()
    },
  },
  {
    name: 'compose, failed to send',
    rare: true,
    toast: 'Failed to Send',
    async show({ page, site, expectRefusal }) {
      expectRefusal(SEND)
      await openComposer(page, site)
      await write(page, { ...full, to: ['ann@', 'bob@example.test'] })
      await saved(page)
      await sendButton(page).click()
    },
  },
  {
    name: 'compose, nobody knows whether it was sent',
    rare: true,
    toast: 'Failed to Send',
    async show({ page, site, expectRefusal }) {
      expectRefusal(SEND)
      await openComposer(page, site)
      await write(page, full)
      await saved(page)
      await answerWith(page, SEND, 504, 'Gateway Timeout')
      await sendButton(page).click()
    },
  },
  {
    name: 'compose, asking about a second email',
    goesOn: true,
    async show({ page }) {
      await answerWith(page, SEND, 409, SENT_BEFORE)
      await sendButton(page).click()
      await page.getByText('This email was sent before you changed it').waitFor()
      await sendButton(page).click()
      await page.getByRole('dialog', { name: 'Send a second email?' }).waitFor()
    },
  },
  {
    name: 'compose, a template that cannot be fetched',
    rare: true,
    async show({ page, site, expectRefusal }) {
      expectRefusal('/api/templates/none')
      await openComposer(page, site, '/compose/none')
      await page.getByText('Failed to fetch template').waitFor()
    },
  },
  {
    name: 'compose, a draft loading',
    rare: true,
    async show({ page, site }) {
      await answerWith(page, `${DRAFTS}/${DRAFT}`, 503, 'The database cannot be reached')
      await holdForNext(page, `${DRAFTS}/${DRAFT}`)
      await (await aWriter(site)).signInOn(page)
      await page.goto(`/compose?draft=${DRAFT}`)
      await page.getByText('Loading the draft').waitFor({ state: 'attached' })
    },
  },
  {
    name: 'compose, a draft that could not be loaded',
    goesOn: true,
    async show({ page, expectRefusal }) {
      expectRefusal(`${DRAFTS}/${DRAFT}`)
      letThrough(page)
      await button(page, 'Try again').waitFor()
    },
  },
  {
    name: 'compose, a draft that cannot be saved',
    rare: true,
    async show(world) {
      await withoutSaving(world)
      await message(world.page).fill('Written on')
      await world.page.getByText('Draft not saved').waitFor()
    },
  },
  {
    name: 'compose, leaving with unsaved words',
    goesOn: true,
    async show({ page }) {
      await page.getByTestId('link-history').click()
      await page.getByRole('dialog', { name: 'Leave this email?' }).waitFor()
    },
  },
]

/** A draft of which no further state can be saved. */
async function withoutSaving({ page, site, expectRefusal }: World): Promise<void> {
  const writer = await aWriter(site)
  const id = await storeDraft(site, writer, full)
  expectRefusal(`${DRAFTS}/${id}`)
  await writer.signInOn(page)
  await page.goto(`/compose?draft=${id}`)
  await message(page).waitFor()
  await page.route(`**${DRAFTS}/*`, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 503, body: 'The database cannot be reached', contentType: 'text/plain' })
      : route.fallback(),
  )
}

import type { Update } from 'grammy/types'
import { expect, it } from 'vitest'
import { databaseOfFile } from '../../test/stored-campaign.ts'
import { type Arrival, claimUpdate, finishUpdate, keepUpdates, postponeUpdate } from './updates.ts'

const database = databaseOfFile()

const BOT = '77'
const ANN = 1
const BEN = 2
const from = (telegramUserId: number, updateId: number): Arrival => ({
  updateId,
  telegramUserId,
  content: { update_id: updateId } as Update,
})

it('what one person says is handled one after the other, also when Telegram brings something older later', async () => {
  const { db } = database
  await keepUpdates(db, BOT, [from(ANN, 5)])
  const fifth = await claimUpdate(db, BOT)
  expect(fifth?.updateId).toBe('5')
  await keepUpdates(db, BOT, [from(ANN, 3), from(ANN, 7), from(BEN, 4)])
  const bens = await claimUpdate(db, BOT)
  expect(bens?.updateId).toBe('4')
  expect(await claimUpdate(db, BOT)).toBeNull()

  if (fifth) await finishUpdate(db, BOT, fifth)
  const third = await claimUpdate(db, BOT)
  expect(third?.updateId).toBe('3')
  expect(await claimUpdate(db, BOT)).toBeNull()
  // Who is put off keeps their place, and is in nobody's hand.
  if (third) await postponeUpdate(db, BOT, third, 0)
  expect((await claimUpdate(db, BOT))?.updateId).toBe('3')
})

import { afterEach, expect, it, vi } from 'vitest'
import { zoneQuery } from './time-zone.ts'

const browserSays = (timeZone: unknown) =>
  vi
    .spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
    .mockReturnValue({ timeZone } as Intl.ResolvedDateTimeFormatOptions)

afterEach(() => void vi.restoreAllMocks())

it('a zone that the browser knows is named', () => {
  browserSays('Pacific/Auckland')
  expect(zoneQuery()).toBe('?timeZone=Pacific%2FAuckland')
})

it.each(['Etc/Unknown', '', undefined])('%j, which the browser refuses itself, is left out', (name) => {
  browserSays(name)
  expect(zoneQuery()).toBe('')
})

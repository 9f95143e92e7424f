import type { InfiniteData } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { keepFound } from './listed.ts'

type Page = { rows: string[] }

const found = (...rows: string[]): InfiniteData<Page, string> => ({ pages: [{ rows }], pageParams: [''] })
const asked = (question: object) => ({ queryKey: ['/api/list', question] })
const rowsOf = ({ rows }: Page) => rows

describe('what a list has found', () => {
  it('stays in sight until the next question is answered', () => {
    const known = found('Ann')
    expect(keepFound({ q: 'b' }, rowsOf)(known, asked({}))).toBe(known)
    expect(keepFound({}, rowsOf)(known, asked({ q: 'b' }))).toBe(known)
  })

  it('stays as well when it is nothing, while somebody types on', () => {
    const nothing = found()
    expect(keepFound({ q: 'ann' }, rowsOf)(nothing, asked({ q: 'an' }))).toBe(nothing)
  })

  it('goes when it is nothing and another question is asked', () => {
    expect(keepFound({}, rowsOf)(found(), asked({ q: 'ann' }))).toBeUndefined()
    expect(keepFound({ q: 'ann' }, rowsOf)(found(), asked({}))).toBeUndefined()
    const ofAnotherState = { q: 'ann', state: 'failed' }
    expect(keepFound({ q: 'ann' }, rowsOf)(found(), asked(ofAnotherState))).toBeUndefined()
  })
})

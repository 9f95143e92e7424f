import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useReducer, useRef } from 'react'
import type { Settings } from '../../contract/settings.ts'
import { isChangedElsewhere, saveSettings, settingsQuery, verifyProvider } from '../api/settings.ts'
import { useLeaveGuard } from '../ui/use-leave-guard.ts'
import { saveRequestOf, verifyRequestOf } from './requests.ts'
import { isFilled, type SettingsForm } from './settings-form.ts'
import {
  changedHabits,
  isUnsaved,
  type SettingsState,
  settingsReducer,
  startingState,
  verdictOf,
} from './settings-state.ts'
import {
  sayEmailRequired,
  sayNotSaved,
  sayNotTested,
  saySaved,
  sayVerdict,
  wordsOf,
} from './settings-toasts.ts'

/** The state of the whole form and the two things that can be done with it. */
export function useSettingsForm(read: Settings, replyTo: RefObject<HTMLInputElement | null>) {
  const client = useQueryClient()
  const [state, dispatch] = useReducer(settingsReducer, read, startingState)
  const { form, verdict } = state
  const current = useRef(state)
  useEffect(() => {
    current.current = state
  }, [state])

  const testing = useMutation({
    mutationFn: (tested: SettingsForm) => verifyProvider(verifyRequestOf(tested)),
    onSuccess: (answer, tested) => {
      sayVerdict(verdictOf(answer), { isCurrent: tested === current.current.form })
      dispatch({ kind: 'tested', form: tested, verdict: verdictOf(answer) })
    },
    onError: (error, tested) => {
      sayNotTested(error)
      dispatch({ kind: 'tested', form: tested, verdict: { kind: 'failed', error: wordsOf(error) } })
    },
  })

  /** What was sent last and is stored. */
  const accepted = useRef<SettingsState | null>(null)
  /** Of the server, to what was sent last. */
  const answer = useRef(Promise.resolve())
  const readAnew = () => client.fetchQuery({ ...settingsQuery, staleTime: 0 }).catch(() => null)

  const saving = useMutation({
    mutationFn: (sent: SettingsState) => {
      const { form, signingKeys, stored } = sent
      const request = saveRequestOf(form, signingKeys[form.provider], changedHabits(sent))
      // What was sent before is stored, though it may not have been read again.
      const replaced = accepted.current?.stored === stored ? accepted.current.form : stored
      answer.current = saveSettings(request, replaced).then(() => {
        accepted.current = sent
      })
      return answer.current
    },
    onSuccess: async (_, sent) => {
      saySaved()
      // Whoever leaves before it is read has it read where they go: mail is sent by it.
      void client.invalidateQueries({ queryKey: settingsQuery.queryKey, refetchType: 'none' })
      // Read again, for what the server made of it. Should that fail, the form stays as it was typed.
      const stored = await readAnew()
      if (stored) dispatch({ kind: 'saved', sent, stored })
    },
    onError: async (error) => {
      sayNotSaved(error)
      if (!isChangedElsewhere(error)) return
      const stored = await readAnew()
      if (stored) dispatch({ kind: 'changed elsewhere', stored })
    },
  })

  const isAllSaved = () => !isUnsaved(current.current, accepted.current)
  const guard = useLeaveGuard({
    isSafe: isAllSaved,
    save: () => answer.current.then(isAllSaved, () => false),
  })

  const needsTest = form.provider !== 'resend' && verdict.kind !== 'verified'

  const test = () => {
    if (testing.isPending) return
    if (isFilled(form.fromEmail)) return testing.mutate(form)
    replyTo.current?.focus()
    sayEmailRequired()
  }
  const save = () => {
    if (needsTest || saving.isPending) return
    saving.mutate(state)
  }

  return {
    ...state,
    dispatch,
    isTesting: testing.isPending,
    isSaving: saving.isPending,
    needsTest,
    guard,
    test,
    save,
    /** Enter does what comes next. */
    goOn: needsTest ? test : save,
  }
}

export type SettingsFormModel = ReturnType<typeof useSettingsForm>

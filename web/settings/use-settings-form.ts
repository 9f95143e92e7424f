import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useReducer, useRef } from 'react'
import type { Settings } from '../../contract/settings.ts'
import { isProviderChanged, saveSettings, settingsQuery, verifyProvider } from '../api/settings.ts'
import { useLeaveGuard } from '../ui/use-leave-guard.ts'
import { saveRequestOf, verifyRequestOf } from './requests.ts'
import { isFilled, type SettingsForm } from './settings-form.ts'
import {
  changedHabits,
  isTyped,
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

  const readAnew = () => client.fetchQuery({ ...settingsQuery, staleTime: 0 }).catch(() => null)

  const saving = useMutation({
    mutationFn: (sent: SettingsState) => {
      const { form, signingKeys, stored } = sent
      const request = saveRequestOf(form, signingKeys[form.provider], changedHabits(sent))
      return saveSettings(request, stored.provider)
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
      if (!isProviderChanged(error)) return
      const stored = await readAnew()
      if (stored) dispatch({ kind: 'changed elsewhere', stored })
    },
  })

  /** Also what was typed while it was saved. Whoever leaves asks before what the server made of it has been drawn. */
  const isAllSaved = (sent: SettingsState): boolean => {
    const stored = client.getQueryData(settingsQuery.queryKey)
    if (!stored) return false
    return !isTyped(settingsReducer(current.current, { kind: 'saved', sent, stored }))
  }

  const underWay = useRef(Promise.resolve(false))
  const guard = useLeaveGuard({
    isSafe: () => !isTyped(state),
    save: () => (saving.isPending ? underWay.current : Promise.resolve(false)),
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
    underWay.current = saving.mutateAsync(state).then(
      () => isAllSaved(state),
      () => false,
    )
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

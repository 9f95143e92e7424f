import { useMutation } from '@tanstack/react-query'
import { logOut } from '../api/auth.ts'
import { toast } from '../ui/toast-store.ts'
import { letGo } from '../ui/use-leave-guard.ts'
import { leaveFor } from './leave.ts'

const REDIRECT_MS = 500

/** Ends the session and goes on to `next`, a page for people who are signed out. */
export function useLogOut(next = '/sign-in') {
  return useMutation({
    mutationFn: logOut,
    onSuccess: () => {
      letGo()
      toast({ title: 'Logged Out', description: 'You have been logged out.' })
      leaveFor(next, REDIRECT_MS)
    },
    onError: () => {
      toast({
        title: 'Logout Failed',
        description: 'Failed to log out. Please try again.',
        variant: 'destructive',
      })
    },
  })
}

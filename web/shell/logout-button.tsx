import { useMutation } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { logOut } from '../api/auth.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast-store.ts'
import { leaveBy, letGo } from '../ui/use-leave-guard.ts'
import { leaveFor } from './leave.ts'

const REDIRECT_MS = 500

export function LogoutButton() {
  const logout = useMutation({
    mutationFn: logOut,
    onSuccess: () => {
      letGo()
      toast({ title: 'Logged Out', description: 'You have been logged out.' })
      leaveFor('/sign-in', REDIRECT_MS)
    },
    onError: () => {
      toast({
        title: 'Logout Failed',
        description: 'Failed to log out. Please try again.',
        variant: 'destructive',
      })
    },
  })
  return (
    <Button
      variant="ghost"
      aria-label="Log out"
      // What is not saved yet cannot be saved after it.
      onClick={() => leaveBy(() => logout.mutate())}
      disabled={logout.isPending || logout.isSuccess}
      className="min-w-11"
    >
      <LogOut aria-hidden="true" className="size-4.5" />
      <span className="hidden md:inline">Log out</span>
    </Button>
  )
}

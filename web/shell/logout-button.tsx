import { LogOut } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { leaveBy } from '../ui/use-leave-guard.ts'
import { useLogOut } from './use-log-out.ts'

export function LogoutButton() {
  const logout = useLogOut()
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

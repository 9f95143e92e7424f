import { useSearch } from 'wouter'
import { useSession } from '../api/auth.ts'
import { useLogOut } from '../shell/use-log-out.ts'
import { Button } from '../ui/button.tsx'
import { leaveBy } from '../ui/use-leave-guard.ts'

const SIGN_IN = '/sign-in'
const FOR_SIGNED_OUT = [SIGN_IN, '/sign-up', '/verify-email', '/forgot-password', '/reset-password']

/** Links in our own mails lead there, and may be opened where somebody is signed in. */
export const isForSignedOut = (path: string): boolean => FOR_SIGNED_OUT.includes(path)

/** Why such a page is not found, and the way to it. */
export function SignedInNote({ path }: { path: string }) {
  const email = useSession().data?.user.email
  const search = useSearch()
  const logout = useLogOut(search === '' ? path : `${path}?${search}`)
  return (
    <>
      <p className="mb-4 max-w-prose break-words">
        You are signed in{email && ` as ${email}`}.{' '}
        {path !== SIGN_IN && 'This page is for people who are signed out.'}
      </p>
      {path !== SIGN_IN && (
        <Button
          pending={logout.isPending || logout.isSuccess}
          pendingText="Logging out..."
          // What is not saved yet cannot be saved after it.
          onClick={() => leaveBy(() => logout.mutate())}
        >
          Log out and open it
        </Button>
      )}
    </>
  )
}

import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { verifyEmail } from '../api/auth.ts'
import { messageOf } from '../api/client.ts'
import { leaveFor } from '../shell/leave.ts'
import { Spinner } from '../ui/spinner.tsx'
import { toast } from '../ui/toast-store.ts'
import { AuthLayout, AuthLink } from './auth-layout.tsx'
import { REDIRECT_MS } from './timing.ts'
import { VerifyForm } from './verify-form.tsx'

const LINK_EXPIRED = 'The link may have expired. Please enter the code from your email.'

export function VerifyEmailPage() {
  const [params] = useSearchParams()
  const userId = params.get('userId') ?? ''
  const link = useVerificationLink(userId, params.get('code') ?? '')

  if (link === 'verifying') {
    return (
      <AuthLayout title="Verify your email">
        <p role="status" className="flex items-center gap-3 text-soft">
          <Spinner />
          Verifying your email address...
        </p>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title="Verify your email"
      subtitle="Enter the 6-digit code we sent you. It expires in 15 minutes."
      footer={
        <>
          Wrong address? <AuthLink href="/sign-up">Sign up again</AuthLink>
        </>
      }
    >
      <VerifyForm userId={userId} linkFailed={link === 'failed'} onVerified={welcome} />
    </AuthLayout>
  )
}

function welcome() {
  toast({ title: 'Email Verified', description: 'Your account is ready.' })
  leaveFor('/', REDIRECT_MS)
}

type LinkState = 'none' | 'verifying' | 'failed'

/** A link from the mail carries user and code and needs no typing; a failure falls back to the form. */
function useVerificationLink(userId: string, code: string): LinkState {
  const [state, setState] = useState<LinkState>(userId && code ? 'verifying' : 'none')
  const [, navigate] = useLocation()
  const tried = useRef(false)

  useEffect(() => {
    // A code counts its tries: the link must be tried once, however often React runs this.
    if (!userId || !code || tried.current) return
    tried.current = true
    verifyEmail({ userId, code }).then(welcome, (error: unknown) => {
      setState('failed')
      // Without the used code, so that loading the page again does not spend another try.
      navigate(`/verify-email?userId=${encodeURIComponent(userId)}`, { replace: true })
      toast({
        title: 'Auto-verification Failed',
        description: messageOf(error, LINK_EXPIRED),
        variant: 'destructive',
      })
    })
  }, [userId, code, navigate])

  return state
}

import { useState } from 'react'
import { Link, Redirect, useSearchParams } from 'wouter'
import { useResetToken } from '../api/auth.ts'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { AuthLayout, AuthLink } from './auth-layout.tsx'
import { ResetForm } from './reset-form.tsx'

export function ResetPasswordPage() {
  const [params] = useSearchParams()
  const token = params.get('token') ?? ''
  const check = useResetToken(token)
  const [done, setDone] = useState(false)

  if (!token) return <Redirect to="/sign-in" replace />
  if (done) {
    return (
      <AuthLayout title="Password Reset Complete" subtitle="Sign in with your new password.">
        <Button asChild variant="primary" size="lg">
          <Link href="/sign-in">Go to Sign In</Link>
        </Button>
      </AuthLayout>
    )
  }
  if (check.isError) {
    return (
      <AuthLayout
        title="The link could not be checked"
        subtitle="Postrider gave no clear answer, so the link may still be good."
      >
        <Button
          variant="primary"
          size="lg"
          onClick={() => void check.refetch()}
          pending={check.isFetching}
          pendingText="Trying..."
        >
          Try Again
        </Button>
      </AuthLayout>
    )
  }
  if (check.isPending) {
    return (
      <AuthLayout title="Reset your password">
        <p role="status" className="flex items-center gap-3 text-soft">
          <Spinner />
          Verifying your reset link...
        </p>
      </AuthLayout>
    )
  }
  if (!check.data) {
    return (
      <AuthLayout
        title="Invalid Reset Link"
        subtitle="A reset link works once and for one hour. This one is used, expired or incomplete."
        footer={<AuthLink href="/sign-in">Back to Sign In</AuthLink>}
      >
        <Button asChild variant="primary" size="lg">
          <Link href="/forgot-password">Request New Reset Link</Link>
        </Button>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title="Reset your password"
      subtitle="Choose a new one. All other devices are signed out."
      footer={<AuthLink href="/sign-in">Back to Sign In</AuthLink>}
    >
      <ResetForm token={token} onDone={() => setDone(true)} />
    </AuthLayout>
  )
}

import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Link } from 'wouter'
import type { ForgotPasswordRequest } from '../../contract/auth.ts'
import { requestPasswordReset } from '../api/auth.ts'
import { messageOf } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { toast } from '../ui/toast-store.ts'
import { AuthLayout, AuthLink } from './auth-layout.tsx'
import { MailboxNote } from './mailbox-note.tsx'
import { useFirstField } from './use-first-field.ts'

export function ForgotPasswordPage() {
  const request = useMutation({
    mutationFn: requestPasswordReset,
    onError: (error) => {
      toast({
        title: 'Request Failed',
        description: 'Failed to send password reset email. Please try again.',
        detail: messageOf(error, ''),
        variant: 'destructive',
      })
    },
  })

  if (request.isSuccess) {
    return (
      <AuthLayout
        title="Check Your Email"
        subtitle="If an account exists with that email, a password reset link has been sent."
      >
        <MailboxNote />
        <div className="grid gap-3">
          <Button asChild variant="primary" size="lg">
            <Link href="/sign-in">Back to Sign In</Link>
          </Button>
          <Button size="lg" onClick={() => request.reset()}>
            Try Another Email
          </Button>
        </div>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title="Forgot your password?"
      subtitle="Enter your email and we send you a link to set a new one."
      footer={<AuthLink href="/sign-in">Back to Sign In</AuthLink>}
    >
      <RequestForm pending={request.isPending} onSubmit={(values) => request.mutate(values)} />
    </AuthLayout>
  )
}

function RequestForm({
  pending,
  onSubmit,
}: {
  pending: boolean
  onSubmit: (values: ForgotPasswordRequest) => void
}) {
  const { register: field, handleSubmit, setFocus } = useForm<ForgotPasswordRequest>()
  useFirstField(() => setFocus('email'))
  return (
    <form className="grid gap-5" onSubmit={handleSubmit((values) => onSubmit(values))}>
      <Field label="Email">
        {(control) => (
          <Input {...control} type="email" autoComplete="username" required {...field('email')} />
        )}
      </Field>
      <Button type="submit" variant="primary" size="lg" pending={pending} pendingText="Sending...">
        Send Reset Link
      </Button>
    </form>
  )
}

import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useLocation } from 'wouter'
import type { LoginRequest } from '../../contract/auth.ts'
import { logIn, unverifiedUserOf } from '../api/auth.ts'
import { messageOf } from '../api/client.ts'
import { leaveFor } from '../shell/leave.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { toast } from '../ui/toast-store.ts'
import { AuthLayout, AuthLink } from './auth-layout.tsx'
import { REDIRECT_MS } from './timing.ts'
import { useFirstField } from './use-first-field.ts'

export function SignInPage() {
  const [, navigate] = useLocation()
  const { register: field, handleSubmit, setFocus } = useForm<LoginRequest>()
  useFirstField(() => setFocus('email'))

  const signIn = useMutation({
    mutationFn: logIn,
    onSuccess: () => {
      toast({ title: 'Welcome back', description: 'You are signed in.' })
      leaveFor('/', REDIRECT_MS)
    },
    onError: (error) => {
      toast({
        title: 'Sign In Failed',
        description: messageOf(error, 'Invalid email or password'),
        variant: 'destructive',
      })
      const userId = unverifiedUserOf(error)
      if (userId) navigate(`/verify-email?userId=${encodeURIComponent(userId)}`)
    },
  })

  return (
    <AuthLayout
      title="Sign in to Postrider"
      subtitle="Your campaigns, templates and replies are where you left them."
      footer={
        <>
          No account yet? <AuthLink href="/sign-up">Sign up</AuthLink>
        </>
      }
    >
      <form className="grid gap-5" onSubmit={handleSubmit((values) => signIn.mutate(values))}>
        <Field label="Email">
          {(control) => (
            <Input {...control} type="email" autoComplete="username" required {...field('email')} />
          )}
        </Field>
        <Field
          label="Password"
          aside={
            <AuthLink href="/forgot-password" beside="label">
              Forgot password
            </AuthLink>
          }
        >
          {(control) => (
            <PasswordInput {...control} autoComplete="current-password" required {...field('password')} />
          )}
        </Field>
        <Button
          type="submit"
          variant="primary"
          size="lg"
          pending={signIn.isPending}
          pendingText="Signing in..."
          disabled={signIn.isSuccess}
        >
          Sign In
        </Button>
      </form>
    </AuthLayout>
  )
}

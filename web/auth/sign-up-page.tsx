import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useLocation } from 'wouter'
import { PASSWORD_MIN } from '../../contract/auth.ts'
import { register } from '../api/auth.ts'
import { messageOf } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { toast } from '../ui/toast-store.ts'
import { AuthLayout, AuthLink } from './auth-layout.tsx'
import { flawOf, type NewPassword, NewPasswordFields } from './new-password.tsx'
import { useFirstField } from './use-first-field.ts'

type SignUpForm = NewPassword & { email: string }

const WORDS = {
  password: {
    title: 'Weak Password',
    description: `Password must be at least ${PASSWORD_MIN} characters`,
  },
  confirm: { title: 'Password Mismatch', description: 'Passwords do not match' },
}

export function SignUpPage() {
  const [, navigate] = useLocation()
  const {
    register: field,
    handleSubmit,
    setError,
    setFocus,
    formState,
  } = useForm<SignUpForm>({
    reValidateMode: 'onChange',
  })
  useFirstField(() => setFocus('email'))

  const signUp = useMutation({
    mutationFn: register,
    onSuccess: ({ userId }) => {
      toast({
        title: 'Registration Successful',
        description: 'Check your email for the verification code.',
      })
      navigate(`/verify-email?userId=${encodeURIComponent(userId)}`)
    },
    onError: (error) => {
      toast({
        title: 'Registration Failed',
        description: messageOf(error, 'Failed to create account'),
        variant: 'destructive',
      })
    },
  })

  const submit = ({ email, password, confirm }: SignUpForm) => {
    const flaw = flawOf({ password, confirm })
    if (flaw) {
      setError(flaw.at, { message: flaw.message }, { shouldFocus: true })
      toast({ ...WORDS[flaw.at], variant: 'destructive' })
      return
    }
    signUp.mutate({ email, password })
  }

  return (
    <AuthLayout
      title="Create your account"
      subtitle="We send a 6-digit code to your address to make sure it is yours."
      footer={
        <>
          Already have an account? <AuthLink href="/sign-in">Sign in</AuthLink>
        </>
      }
    >
      <form className="grid gap-5" onSubmit={handleSubmit(submit)}>
        <Field label="Email">
          {(control) => (
            <Input {...control} type="email" autoComplete="username" required {...field('email')} />
          )}
        </Field>
        <NewPasswordFields label="Password" register={field} errors={formState.errors} />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          pending={signUp.isPending}
          pendingText="Creating account..."
          disabled={signUp.isSuccess}
        >
          Sign Up
        </Button>
      </form>
    </AuthLayout>
  )
}

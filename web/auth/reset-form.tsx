import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { PASSWORD_MIN } from '../../contract/auth.ts'
import { resetPassword } from '../api/auth.ts'
import { messageOf } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { toast } from '../ui/toast-store.ts'
import { useFirstField } from './use-first-field.ts'

interface NewPasswordForm {
  password: string
  confirm: string
}

export function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const { register: field, handleSubmit, setError, setFocus, formState } = useForm<NewPasswordForm>()
  useFirstField(() => setFocus('password'))

  const reset = useMutation({
    mutationFn: resetPassword,
    onSuccess: () => {
      toast({ title: 'Password Reset Successfully', description: 'Your new password is set.' })
      onDone()
    },
    onError: (error) => {
      toast({
        title: 'Reset Failed',
        description: 'Failed to reset password. Please try again.',
        detail: messageOf(error, ''),
        variant: 'destructive',
      })
    },
  })

  const submit = ({ password, confirm }: NewPasswordForm) => {
    if (password.length < PASSWORD_MIN) {
      setError('password', { message: 'Use a longer password' }, { shouldFocus: true })
      toast({
        title: 'Password Too Short',
        description: `Password must be at least ${PASSWORD_MIN} characters long.`,
        variant: 'destructive',
      })
      return
    }
    if (password !== confirm) {
      setError('confirm', { message: 'Type the same password twice' }, { shouldFocus: true })
      toast({
        title: "Passwords Don't Match",
        description: 'Please make sure both passwords match.',
        variant: 'destructive',
      })
      return
    }
    reset.mutate({ token, password })
  }

  return (
    <form className="grid gap-5" onSubmit={handleSubmit(submit)}>
      <Field
        label="New Password"
        hint={`At least ${PASSWORD_MIN} characters`}
        error={formState.errors.password?.message}
      >
        {(control) => (
          <PasswordInput {...control} autoComplete="new-password" required {...field('password')} />
        )}
      </Field>
      <Field label="Confirm Password" error={formState.errors.confirm?.message}>
        {(control) => (
          <PasswordInput {...control} autoComplete="new-password" required {...field('confirm')} />
        )}
      </Field>
      <Button type="submit" variant="primary" size="lg" pending={reset.isPending} pendingText="Resetting...">
        Reset Password
      </Button>
    </form>
  )
}

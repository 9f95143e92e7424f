import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { PASSWORD_MIN } from '../../contract/auth.ts'
import { resetPassword } from '../api/auth.ts'
import { messageOf } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast-store.ts'
import { flawOf, type NewPassword, NewPasswordFields } from './new-password.tsx'
import { useFirstField } from './use-first-field.ts'

const WORDS = {
  password: {
    title: 'Password Too Short',
    description: `Password must be at least ${PASSWORD_MIN} characters long.`,
  },
  confirm: { title: "Passwords Don't Match", description: 'Please make sure both passwords match.' },
}

export function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const { register: field, handleSubmit, setError, setFocus, formState } = useForm<NewPassword>()
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

  const submit = ({ password, confirm }: NewPassword) => {
    const flaw = flawOf({ password, confirm })
    if (flaw) {
      setError(flaw.at, { message: flaw.message }, { shouldFocus: true })
      toast({ ...WORDS[flaw.at], variant: 'destructive' })
      return
    }
    reset.mutate({ token, password })
  }

  return (
    <form className="grid gap-5" onSubmit={handleSubmit(submit)}>
      <NewPasswordFields label="New Password" register={field} errors={formState.errors} />
      <Button type="submit" variant="primary" size="lg" pending={reset.isPending} pendingText="Resetting...">
        Reset Password
      </Button>
    </form>
  )
}

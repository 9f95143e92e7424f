import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { CODE_DIGITS } from '../../contract/auth.ts'
import { resendVerification, verifyEmail } from '../api/auth.ts'
import { messageOf } from '../api/client.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { CodeInput } from '../ui/code-input.tsx'
import { Field } from '../ui/field.tsx'
import { toast } from '../ui/toast-store.ts'
import { MailboxNote } from './mailbox-note.tsx'
import { useFirstField } from './use-first-field.ts'

interface VerifyFormProps {
  userId: string
  /** The link from the mail was tried and refused. */
  linkFailed: boolean
  onVerified: () => void
}

/** The server does not tell whether it sent one, lest it tell who has an account: true for everybody. */
const PERHAPS_SENT =
  'If your sign-up still waits, a new code is on its way. At most three are sent in an hour; after a day, please sign up again.'

export function VerifyForm({ userId, linkFailed, onVerified }: VerifyFormProps) {
  const [code, setCode] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useFirstField(() => input.current?.focus())

  const verify = useMutation({
    mutationFn: verifyEmail,
    onSuccess: onVerified,
    onError: (error) => {
      toast({
        title: 'Verification Failed',
        description: messageOf(error, 'Invalid verification code'),
        variant: 'destructive',
      })
    },
  })
  const resend = useMutation({
    mutationFn: resendVerification,
    onSuccess: () => {
      // A new code makes the one before worthless.
      setCode('')
      toast({ title: 'Verification Email Sent', description: PERHAPS_SENT })
    },
    onError: (error) => {
      toast({
        title: 'Failed to Resend',
        description: messageOf(error, 'The verification email was not sent. Please try again.'),
        variant: 'destructive',
      })
    },
  })

  const withUser = (act: () => void) => {
    if (userId) return act()
    toast({
      title: 'Error',
      description: 'User ID missing. Please try registering again.',
      variant: 'destructive',
    })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    withUser(() => verify.mutate({ userId, code }))
  }

  return (
    <>
      {linkFailed && (
        <Alert tone="warning">
          The verification link may have expired. Enter the code from your email, or have a new one sent.
        </Alert>
      )}
      <MailboxNote />
      <form className="grid gap-5" onSubmit={submit}>
        <Field label="Verification code">
          {(control) => (
            <CodeInput
              {...control}
              ref={input}
              length={CODE_DIGITS}
              value={code}
              onValueChange={setCode}
              readOnly={verify.isPending || verify.isSuccess}
            />
          )}
        </Field>
        <Button
          type="submit"
          variant="primary"
          size="lg"
          pending={verify.isPending}
          pendingText="Verifying..."
          disabled={code.length !== CODE_DIGITS || verify.isSuccess}
        >
          Verify Email
        </Button>
      </form>
      <Button
        size="lg"
        onClick={() => withUser(() => resend.mutate(userId))}
        pending={resend.isPending}
        pendingText="Sending..."
        disabled={verify.isPending || verify.isSuccess}
      >
        Resend verification email
      </Button>
    </>
  )
}

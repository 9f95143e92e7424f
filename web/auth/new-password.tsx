import type { UseFormRegisterReturn } from 'react-hook-form'
import { PASSWORD_MIN } from '../../contract/auth.ts'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'

export interface NewPassword {
  password: string
  confirm: string
}

/** What is wrong with it, and at which field; the screen that asks for it has its own words beside. */
export function flawOf({ password, confirm }: NewPassword) {
  if (password.length < PASSWORD_MIN) return { at: 'password', message: 'Use a longer password' } as const
  if (password !== confirm) return { at: 'confirm', message: 'Type the same password twice' } as const
  return null
}

interface NewPasswordFieldsProps {
  label: string
  register: (name: keyof NewPassword) => UseFormRegisterReturn
  errors: { [Name in keyof NewPassword]?: { message?: string | undefined } | undefined }
}

/** Typed twice, since nobody sees what is typed. */
export function NewPasswordFields({ label, register, errors }: NewPasswordFieldsProps) {
  return (
    <>
      <Field label={label} hint={`At least ${PASSWORD_MIN} characters`} error={errors.password?.message}>
        {(control) => (
          <PasswordInput {...control} autoComplete="new-password" required {...register('password')} />
        )}
      </Field>
      <Field label="Confirm Password" error={errors.confirm?.message}>
        {(control) => (
          <PasswordInput {...control} autoComplete="new-password" required {...register('confirm')} />
        )}
      </Field>
    </>
  )
}

import { useState } from 'react'
import { CodeInput } from '../ui/code-input.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { Select } from '../ui/select.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { Section } from './section.tsx'

const providers = [
  { value: 'resend', label: 'Resend' },
  { value: 'smtp', label: 'SMTP' },
  { value: 'mailgun', label: 'Mailgun' },
] as const

export function FieldsSection() {
  const [code, setCode] = useState('1234')
  const [provider, setProvider] = useState<'resend' | 'smtp' | 'mailgun'>()
  return (
    <Section title="Fields">
      <div className="grid items-start gap-5 md:grid-cols-3">
        <Field label="Subject" hint="Recipients see it first">
          {(control) => <Input {...control} placeholder="A placeholder" />}
        </Field>
        <Field label="With an error" error="This address is not complete">
          {(control) => <Input {...control} defaultValue="anna@" />}
        </Field>
        <Field label="Disabled">{(control) => <Input {...control} disabled defaultValue="Fixed" />}</Field>
        <Field label="Password">
          {(control) => <PasswordInput {...control} defaultValue="correct horse" />}
        </Field>
        <Field label="Provider" hint="Where your mail goes out">
          {(control) => (
            <Select
              {...control}
              options={providers}
              value={provider}
              onValueChange={setProvider}
              placeholder="Choose a provider"
            />
          )}
        </Field>
        <Field label="Provider, disabled">
          {(control) => (
            <Select {...control} options={providers} value="smtp" onValueChange={setProvider} disabled />
          )}
        </Field>
        <Field label="Verification code">
          {(control) => <CodeInput {...control} length={6} value={code} onValueChange={setCode} />}
        </Field>
        <Field label="Code, wrong" error="This code is not right">
          {(control) => <CodeInput {...control} length={6} value="123456" onValueChange={setCode} />}
        </Field>
        <Field label="Code, disabled">
          {(control) => <CodeInput {...control} length={6} value="123456" onValueChange={setCode} disabled />}
        </Field>
        <Field label="Message">{(control) => <Textarea {...control} rows={4} />}</Field>
        <Field label="Message with an error" error="Write a few words">
          {(control) => <Textarea {...control} rows={4} />}
        </Field>
      </div>
    </Section>
  )
}

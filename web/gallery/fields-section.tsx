import { useState } from 'react'
import { CodeInput } from '../ui/code-input.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { Select } from '../ui/select.tsx'
import { Switch } from '../ui/switch.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { Section } from './section.tsx'

const providers = [
  { value: 'resend', label: 'Resend' },
  { value: 'smtp', label: 'SMTP' },
  { value: 'mailgun', label: 'Mailgun' },
] as const

export function FieldsSection() {
  const [code, setCode] = useState('1234')
  const [own, setOwn] = useState(true)
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
        <CopyField
          label="Webhook URL"
          value="https://mail.example.com/api/webhooks/ses/kP3vQbX0S1mZ4rT8uW2yA5cE7"
          hint="Paste it where your provider asks for it"
        />
        <CopyField label="In a narrow place" value="ann@in.example.com" isNarrow />
        <Switch
          label="Send from my own address"
          hint="Your provider must allow it"
          checked={own}
          onCheckedChange={setOwn}
        />
        <Switch
          label="Switched off"
          hint="The same, not chosen"
          checked={!own}
          onCheckedChange={(off) => setOwn(!off)}
        />
        <Switch label="Disabled" hint="Nothing to choose" checked={false} onCheckedChange={setOwn} disabled />
      </div>
    </Section>
  )
}

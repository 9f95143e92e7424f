import { describe, expect, it } from 'vitest'
import { closedAfterEach } from '../../test/closing.ts'
import { aCopy, aLetter } from '../../test/simulators/a-mail.ts'
import { anSmtpProvider } from '../../test/simulators/smtp-client.ts'
import { startScriptedRelay } from '../../test/simulators/smtp-script.ts'

const opened = closedAfterEach()

async function sentBy(
  returnPaths: (string | undefined)[],
): Promise<{ from: string[]; messages: readonly string[] }> {
  const relay = opened(await startScriptedRelay({}))
  const provider = opened(anSmtpProvider(relay.port, { connections: 1 }))
  const copies = returnPaths.map((returnPath, n) =>
    aCopy({ to: `person${n}@x.test`, ...(returnPath === undefined ? {} : { returnPath }) }),
  )
  await provider.send(aLetter(), copies, new AbortController().signal)
  return {
    from: relay.lines.flatMap((line) => /^MAIL FROM:<(.*?)>/.exec(line)?.[1] ?? []),
    messages: relay.messages,
  }
}

describe('the envelope sender', () => {
  it('is each copy’s own return path, over one connection, and stands nowhere in the mail', async () => {
    const paths = ['b-1@in.x.test', 'b-2@in.x.test', 'b-3@in.x.test']
    const { from, messages } = await sentBy(paths)
    expect(from).toEqual(paths)
    expect(messages).toHaveLength(3)
    for (const message of messages) {
      expect(message).toContain('From: Postrider <mail@postrider.localhost>')
      expect(message).not.toContain('in.x.test')
    }
  })

  it('is the sender’s address for a mail without one, as the product’s own mails are', async () => {
    const { from } = await sentBy([undefined, 'b-1@in.x.test', undefined])
    expect(from).toEqual(['mail@postrider.localhost', 'b-1@in.x.test', 'mail@postrider.localhost'])
  })

  it('cannot smuggle a command', async () => {
    await expect(sentBy(['b-1@in.x.test>\r\nRCPT TO:<eve@x.test'])).rejects.toThrow(
      'Not one plain e-mail address',
    )
  })
})

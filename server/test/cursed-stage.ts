import { aRunningApp } from './running-app.ts'
import { startScriptedRelay } from './simulators/smtp-script.ts'
import { expectCountsToAddUp } from './stored-campaign.ts'

/** An app with a relay that hangs up as soon as it hears a name that begins with "cursed", and takes all else. */
export async function aStageWithCursed() {
  const relay = await startScriptedRelay({
    RCPT({ line, socket }) {
      if (!line.includes('<cursed')) return '250 recipient'
      socket.destroy()
      return null
    },
  })
  const running = await aRunningApp({ SMTP_URL: `smtp://127.0.0.1:${relay.port}` })
  return {
    running,
    relay,
    async [Symbol.asyncDispose]() {
      await expectCountsToAddUp(running.db)
      await running[Symbol.asyncDispose]()
      await relay.close()
    },
  }
}

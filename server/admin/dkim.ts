import { loadConfig } from '../config.ts'
import { dkimRecord, keepDkimKey } from '../platform/dkim-key.ts'
import { type Command, say } from './command.ts'

const SELECTOR = 'postrider'

export const dkim: Command = {
  name: 'dkim',
  takes: '',
  does: 'makes the key that signs mail by SMTP_URL, if there is none yet, and says what to publish in the DNS',
  async run() {
    const { dkim, transport } = loadConfig()
    const selector = dkim.selector ?? SELECTOR
    const { name, value } = dkimRecord(selector, dkim.domain, await keepDkimKey(dkim.keyFile))
    const next = [
      `The key is in ${dkim.keyFile}. Publish this TXT record; where only 255 characters fit into one string, cut the`,
      'value into several:',
      `\n  name:  ${name}\n  value: ${value}\n`,
      dkim.selector === null
        ? `Then set DKIM_SELECTOR=${selector} and start Postrider again.`
        : 'DKIM_SELECTOR is set already: every mail is signed from the next start on.',
      ...(transport.kind === 'smtp' ? [] : ['Only mail by SMTP_URL is signed here, and that is not set.']),
    ]
    await say(next.join('\n'))
    return 0
  },
}

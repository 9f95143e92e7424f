import { createReadStream } from 'node:fs'
import { readBounce } from './bounces/read-bounce.ts'
import { loadConfig } from './config.ts'
import { dkimRecord, keepDkimKey } from './platform/dkim-key.ts'
import { StartError } from './platform/errors.ts'

// `npm run admin -- COMMAND …`: what an operator does by hand. A command answers with its exit code.

type Command = { name: string; takes: string; does: string; run(args: string[]): Promise<number> }

const COMMANDS: Command[] = [
  {
    name: 'read-bounce',
    takes: 'FILE…',
    does: 'says of each raw mail whether it is a bounce or a complaint, one JSON line a file',
    run: readBounces,
  },
  {
    name: 'dkim',
    takes: '',
    does: 'makes the key that signs mail by SMTP_URL, if there is none yet, and says what to publish in the DNS',
    run: dkim,
  },
]

/** More than the reader looks at: a file of any size costs no more memory than this. */
const READ_MAX = 33_000_000

async function readBounces(files: string[]): Promise<number> {
  if (files.length === 0) return complain('read-bounce needs at least one file')
  let code = 0
  for (const file of files) {
    const raw = await readStart(file)
    if (raw instanceof Error) code = complain(`${file} cannot be read: ${raw.message}`)
    else {
      const { kind, recipient, status, reason } = await readBounce(raw)
      process.stdout.write(`${JSON.stringify({ file, kind, recipient, status, reason })}\n`)
    }
  }
  return code
}

async function readStart(file: string): Promise<Buffer | Error> {
  try {
    const pieces: Buffer[] = []
    for await (const piece of createReadStream(file, { end: READ_MAX })) pieces.push(piece)
    return Buffer.concat(pieces)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const SELECTOR = 'postrider'

async function dkim(): Promise<number> {
  try {
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
    process.stdout.write(`${next.join('\n')}\n`)
    return 0
  } catch (error) {
    if (error instanceof StartError) return complain(error.message)
    throw error
  }
}

function complain(sentence: string): 1 {
  process.stderr.write(`${sentence}\n`)
  return 1
}

function help(name: string | undefined): number {
  const list = COMMANDS.map(
    ({ name, takes, does }) => `  ${`${name} ${takes}`.trimEnd()}\n      ${does}`,
  ).join('\n')
  return complain(
    `${name === undefined ? 'Name a command' : `There is no command ${name}`}. There are:\n${list}`,
  )
}

const [name, ...args] = process.argv.slice(2)
const command = COMMANDS.find((one) => one.name === name)
process.exitCode = command ? await command.run(args) : help(name)

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import type { TestCertificate } from './simulators/certificates.ts'
import { until } from './until.ts'

const run = promisify(execFile)
const SINK = '/usr/sbin/smtp-sink'
const SWAKS = '/usr/bin/swaks'

/** Debian's Postfix, which brings smtp-sink; installed when it is missing and we may. */
export const hasPostfix = (): Promise<boolean> => isInstalled('postfix', SINK)

/** The tool by which people try out mail servers. */
export const hasSwaks = (): Promise<boolean> => isInstalled('swaks', SWAKS)

async function isInstalled(name: string, program: string): Promise<boolean> {
  if (process.platform !== 'linux') return false
  if (!existsSync(program) && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    // Another test file may be installing something at the same time.
    const options = ['-o', 'DPkg::Lock::Timeout=120']
    await run('apt-get', [...options, 'update'], { env }).catch(() => {})
    await run('apt-get', [...options, 'install', '-y', '--no-install-recommends', name], { env }).catch(
      () => {},
    )
  }
  return existsSync(program)
}

/** Answers what was said on both sides; fails where the mail was not taken. */
export async function swaks(port: number, ...options: readonly string[]): Promise<string> {
  const { stdout } = await run(SWAKS, ['--server', '127.0.0.1', '--port', String(port), ...options])
  return stdout
}

type MailServer = {
  port: number
  /** The messages that it has taken, as it wrote them down. */
  messages(): Promise<string[]>
  close(): Promise<void>
}

/** Postfix's test server in C, as strict about pipelining as the real one, with its flags for faults. */
export async function startSmtpSink(flags: readonly string[] = []): Promise<MailServer> {
  const folder = await aFolder('postrider-sink-')
  await chmod(folder, 0o777)
  const port = await freePort()
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const dumps = ['-d', join(folder, 'mail.')]
  const child = spawn(SINK, [...user, ...dumps, ...flags, `127.0.0.1:${port}`, '100'], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await until('smtp-sink listens', () => isOpen(port))
  return {
    port,
    messages: () => readAll(folder),
    async close() {
      child.kill()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * A whole Postfix with a queue of its own, on loopback; takes mail for x.test over STARTTLS only. Needs root.
 * `passesOn`: what it takes for this domain, it brings to the server at this port.
 */
export async function startPostfix(
  certificate: TestCertificate,
  passesOn?: { domain: string; port: number },
): Promise<MailServer> {
  const folder = await aFolder('postrider-postfix-')
  const [config, queue, data, mail] = ['config', 'queue', 'data', 'mail'].map((name) => join(folder, name))
  if (!config || !queue || !data || !mail) throw new Error('no folders')
  for (const path of [config, queue, data, mail]) await mkdir(path)
  const owner = await idOf('postfix')
  for (const path of [data, mail]) await chown(path, owner, owner)
  const port = await freePort()
  const route = passesOn ? routeConfig(passesOn) : ''
  await writeFile(join(config, 'main.cf'), mainConfig({ config, queue, data, mail, owner }) + route)
  await writeFile(join(config, 'master.cf'), masterConfig(port))
  await writeFile(join(config, 'key.pem'), certificate.key)
  await writeFile(join(config, 'cert.pem'), certificate.cert)
  await run('/usr/sbin/postfix', ['-c', config, 'start'])
  await until('Postfix listens', () => isOpen(port))
  return {
    port,
    messages: () => readAll(join(mail, 'all', 'new')),
    async close() {
      await run('/usr/sbin/postfix', ['-c', config, 'stop'])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Places = { config: string; queue: string; data: string; mail: string; owner: number }

const mainConfig = ({ config, queue, data, mail, owner }: Places): string => `
compatibility_level = 3.6
queue_directory = ${queue}
data_directory = ${data}
myhostname = postfix.x.test
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = loopback-only
inet_protocols = ipv4
alias_maps =
local_recipient_maps =
virtual_mailbox_domains = x.test
virtual_mailbox_base = ${mail}
virtual_mailbox_maps = static:all/
virtual_uid_maps = static:${owner}
virtual_gid_maps = static:${owner}
virtual_minimum_uid = ${owner}
smtpd_recipient_restrictions = check_recipient_access inline:{nobody@x.test=REJECT}, permit_mynetworks, reject
smtpd_tls_security_level = encrypt
smtpd_tls_cert_file = ${config}/cert.pem
smtpd_tls_key_file = ${config}/key.pem
`

const routeConfig = ({ domain, port }: { domain: string; port: number }): string => `
relay_domains = ${domain}
relay_recipient_maps =
transport_maps = inline:{${domain}=relay:[127.0.0.1]:${port}}
smtp_tls_security_level = encrypt
`

const masterConfig = (port: number): string => `
127.0.0.1:${port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
relay unix - - n - - smtp
scache unix - - n - 1 scache
anvil unix - - n - 1 anvil
`

async function aFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  // The servers run as other users, who must be able to walk in.
  await chmod(folder, 0o755)
  return folder
}

const idOf = async (user: string): Promise<number> => Number((await run('id', ['-u', user])).stdout)

async function readAll(folder: string): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder) : []
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
}

/** Whether somebody listens there. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}

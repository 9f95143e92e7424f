import { chmodSync, existsSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { until } from '../../server/test/until.ts'
import { aClone, cleanUp, lockOf } from './testing.ts'

afterEach(cleanUp)

const CI = 'npm ci --include=dev --no-audit --no-fund --loglevel=error'
const { scripts } = manifest
const DONE = { status: 0, output: '' }

/** What package.json tells the set-up before this script. */
const argumentsOf = (script: keyof typeof scripts): string[] => scripts[script].split(' ').slice(2)

describe('setting up a clone', () => {
  it('installs and builds a fresh one in a line each, and later finds nothing to do', async () => {
    const clone = aClone()
    expect(await clone.setUp(['--web'], { NODE_ENV: 'production' })).toEqual({
      status: 0,
      output: 'Installing packages…\nBuilding the web…\n',
    })
    expect(clone.calls()).toEqual([CI, 'vite'])
    expect(clone.read('web/dist/index.html')).toBe('first')
    expect(await clone.setUp()).toEqual(DONE)
    expect(clone.calls()).toHaveLength(2)
    expect(clone.has('.cache/setup.lock')).toBe(false)
    expect(clone.has('web/.cache')).toBe(false)
  })

  it('goes by contents: touched files are nothing new, changed ones are', async () => {
    const clone = aClone()
    await clone.setUp()
    for (const file of ['package-lock.json', 'web/main.ts', 'contract/auth.ts'])
      utimesSync(join(clone.root, file), new Date(), new Date(Date.now() + 60_000))
    clone.write('web/main.test.ts', 'no part of the web')
    expect(await clone.setUp()).toEqual(DONE)
    clone.write('web/main.ts', 'second')
    expect((await clone.setUp()).output).toBe('Building the web…\n')
    expect(clone.read('web/dist/index.html')).toBe('second')
    clone.write('package-lock.json', JSON.stringify(lockOf('2.0.0')))
    expect((await clone.setUp()).output).toBe('Installing packages…\nBuilding the web…\n')
  })

  it('is content with what somebody installed by hand, as long as it is what the lock names', {
    tags: 'thorough',
  }, async () => {
    const clone = aClone()
    await clone.setUp()
    clone.remove('node_modules/.postrider-packages')
    expect(await clone.setUp()).toEqual(DONE)
    clone.write('node_modules/.package-lock.json', JSON.stringify(lockOf('0.9.0')))
    expect((await clone.setUp()).output).toContain('Installing packages…')
  })

  it('respects an installation without build tools when the web is built, but not for the tests', {
    tags: 'thorough',
  }, async () => {
    const clone = aClone()
    await clone.setUp()
    const { 'node_modules/vite': _, ...production } = lockOf('1.0.0').packages
    clone.write('node_modules/.package-lock.json', JSON.stringify({ packages: production }))
    clone.remove('node_modules/.cache')
    expect(await clone.setUp()).toEqual(DONE)
    expect((await clone.setUp([])).output).toContain('Installing packages…')
    clone.write('node_modules/.package-lock.json', JSON.stringify({ packages: production }))
    clone.remove('web/dist')
    expect((await clone.setUp()).output).toBe('Installing packages…\nBuilding the web…\n')
  })

  it('leaves an installation without build tools to the commands that need none, with a built web or without', {
    tags: 'thorough',
  }, async () => {
    const clone = aClone()
    await clone.setUp()
    const { 'node_modules/vite': _, ...production } = lockOf('1.0.0').packages
    clone.write('node_modules/.package-lock.json', JSON.stringify({ packages: production }))
    clone.remove('web/dist')
    const calls = clone.calls()
    for (const name of ['preadmin', 'preverify-counters', 'prerotate-key'] as const)
      expect(await clone.setUp(argumentsOf(name)), name).toEqual(DONE)
    expect(clone.calls()).toEqual(calls)
    clone.remove('node_modules')
    expect((await clone.setUp(argumentsOf('preadmin'))).output).toBe('Installing packages…\n')
  })

  for (const [index, name] of (['preadmin', 'preverify-counters', 'prerotate-key'] as const).entries())
    it(`takes no packages away from under a running Postrider when a new version is fetched: ${name}`, {
      tags: index === 0 ? [] : 'thorough',
    }, async () => {
      const clone = aClone()
      await clone.setUp()
      const calls = clone.calls()
      clone.write('package-lock.json', JSON.stringify(lockOf('2.0.0')))
      const { status, output } = await clone.setUp(argumentsOf(name))
      expect(status).toBe(1)
      expect(output).toMatch(/^This version needs other packages than .* stop Postrider, run "node [^\n]+\n$/)
      expect(clone.calls()).toEqual(calls)
      expect(clone.read('node_modules/.package-lock.json')).toContain('"1.0.0"')
      expect(clone.has('.cache/setup.lock')).toBe(false)

      await clone.setUp(['--web'])
      expect(await clone.setUp(argumentsOf(name))).toEqual(DONE)
    })

  it('redoes an installation that was killed', { tags: 'thorough' }, async () => {
    const clone = aClone()
    await clone.setUp()
    clone.write('package-lock.json', JSON.stringify(lockOf('2.0.0')))
    clone.write('hold-npm', '')
    const doomed = clone.start()
    await until('npm is at work', () => clone.calls().length === 3)
    const npm = await clone.helper()
    process.kill(doomed.pid, 'SIGKILL')
    process.kill(npm, 'SIGKILL')
    await doomed.ended
    clone.remove('hold-npm')
    expect((await clone.setUp()).output).toBe('Installing packages…\nBuilding the web…\n')
  })

  it('waits for an npm that outlived its set-up instead of working against it', {
    tags: 'thorough',
  }, async () => {
    const clone = aClone()
    clone.write('hold-npm', '')
    const doomed = clone.start()
    await until('npm is at work', () => clone.calls().length === 1)
    await clone.helper()
    process.kill(doomed.pid, 'SIGKILL')
    await doomed.ended
    const next = clone.start()
    await until('the next one tells of it', () => next.output().includes('Another set-up is at work'))
    clone.remove('hold-npm')
    expect((await next.ended).status).toBe(0)
    expect(clone.calls()).toEqual([CI, 'vite'])
  })

  it('lets two at once share the work of one', async () => {
    const clone = aClone()
    clone.write('hold-npm', '')
    const both = [clone.start(), clone.start()]
    await until('one waits for the other', () =>
      both.some(({ output }) => output().includes('waiting for it…')),
    )
    clone.remove('hold-npm')
    expect((await Promise.all(both.map(({ ended }) => ended))).map(({ status }) => status)).toEqual([0, 0])
    expect(clone.calls()).toEqual([CI, 'vite'])
  })

  it('keeps the old web whole when a build is killed', { tags: 'thorough' }, async () => {
    const clone = aClone()
    await clone.setUp()
    clone.write('web/main.ts', 'second')
    clone.write('hold-vite', '')
    const doomed = clone.start()
    await until('half of the web is built', () => clone.has('web/.cache/fresh/half.js'))
    const vite = await clone.helper()
    process.kill(doomed.pid, 'SIGKILL')
    process.kill(vite, 'SIGKILL')
    await doomed.ended
    expect(clone.read('web/dist/index.html')).toBe('first')
    clone.remove('hold-vite')
    expect((await clone.setUp()).output).toBe('Building the web…\n')
    expect(clone.read('web/dist/index.html')).toBe('second')
  })
})

describe('when the set-up fails, the last line says what to do', () => {
  it('npm: after what it printed', async () => {
    const clone = aClone()
    clone.write('fail-npm', '')
    const { status, output } = await clone.setUp()
    expect(status).toBe(1)
    expect(output).toBe(
      'Installing packages…\n\nnpm error code ENOTFOUND\n\nThe packages could not be installed. The npm registry could not be reached. Check the network (or the proxy in your npm settings) and run the command again.\n',
    )
    expect(clone.has('.cache/setup.lock')).toBe(false)
  })

  it('the package node is another version', async () => {
    const clone = aClone()
    await clone.setUp()
    clone.remove('node_modules/.bin/node')
    clone.write('node_modules/.bin/node', '#!/bin/sh\necho v20.1.0\n')
    chmodSync(join(clone.root, 'node_modules/.bin/node'), 0o755)
    expect(await clone.setUp()).toEqual({
      status: 1,
      output:
        'Postrider runs on Node 24, but node_modules/.bin/node is Node 20. Remove the folder node_modules and run the command again.\n',
    })
  })

  // An older Node than the tests run on, as far as the script can tell.
  const pretend = (version: string) => [
    '--import',
    `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'${version}'}})`,
  ]

  it('the package node brought nothing and the machine has an older one', async () => {
    const clone = aClone()
    await clone.setUp()
    clone.remove('node_modules/.bin/node')
    expect(await clone.setUp()).toEqual(DONE)
    const { status, output } = await clone.setUp(['--web'], {}, pretend('20.0.0'))
    expect(status).toBe(1)
    expect(output).toContain('Run "npm rebuild node --ignore-scripts=false", or install Node 24')
  })

  it('the machine has a Node that is too old for anything', async () => {
    expect(await aClone().setUp(['--web'], {}, pretend('16.20.0'))).toEqual({
      status: 1,
      output:
        'Postrider needs Node 18 or newer to set itself up, and this is Node 16.20.0. Install a newer one from https://nodejs.org and run the command again.\n',
    })
  })
})

describe('the browser for the tests', () => {
  it('is taken from CHROMIUM_PATH or from the path', async () => {
    const clone = aClone()
    await clone.setUp()
    const wrong = await clone.setUp(['--web', '--browser'], { CHROMIUM_PATH: '/nowhere/chromium' })
    expect(wrong.output).toContain('CHROMIUM_PATH names /nowhere/chromium, which is not a program.')
    mkdirSync(join(clone.root, 'bin'))
    symlinkSync(process.execPath, join(clone.root, 'bin/google-chrome'))
    const env = { CHROMIUM_PATH: '', PATH: join(clone.root, 'bin') }
    expect(await clone.setUp(['--web', '--browser'], env)).toEqual(DONE)
  })

  it.runIf(process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'))(
    'is installed by root on Debian',
    async () => {
      const clone = aClone()
      await clone.setUp()
      const bin = join(clone.root, 'bin')
      clone.write(
        'bin/apt-get',
        `#!/bin/sh\necho "apt-get $@" >> calls\n[ "$1" = install ] && ln -s /bin/true ${bin}/chromium; true\n`,
      )
      chmodSync(join(bin, 'apt-get'), 0o755)
      // The shell and ln, but no folder that may hold a browser.
      symlinkSync('/bin/ln', join(bin, 'ln'))
      const env = { CHROMIUM_PATH: '', PATH: bin }
      expect(await clone.setUp(['--web', '--browser'], env)).toEqual({
        status: 0,
        output: 'Installing Chromium…\n',
      })
      expect(clone.calls().slice(-2)).toEqual([
        'apt-get update',
        'apt-get install -y chromium-headless-shell',
      ])
    },
  )
})

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const linesOf = (path: string): string[] =>
  read(path)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))

it('an image is built without anything that git ignores, and without git: no key, no setting, no mail', () => {
  // Git looks for a bare pattern in every folder; Docker at the top only.
  const ignored = linesOf('.gitignore').map((line) => (line.startsWith('*') ? `**/${line}` : line))
  expect(ignored).toContain('data/')
  expect(linesOf('.dockerignore')).toEqual(expect.arrayContaining([...ignored, '.git/']))
})

it('a container publishes each port that the image has, and writes where the image lets it', () => {
  const image = read('deploy/Containerfile')
  const [, section = ''] = /^## In a container\n(.*?)^## /ms.exec(read('docs/operating.md')) ?? []
  const ports = /^EXPOSE (.+)$/m.exec(image)?.[1]?.split(' ') ?? []
  expect(ports).toHaveLength(2)
  for (const port of ports) expect(section).toMatch(new RegExp(`-p [\\d.:]*:${port}\\b`))
  const [, folder] = /DATA_DIR=(\S+)/.exec(image) ?? []
  expect(image).toContain(`chown node:node ${folder}`)
  const written = [...section.matchAll(/(?:backup|cat >|CONTAINER:) ?(\/\w+)/g)].map(([, place]) => place)
  expect(written.length).toBeGreaterThan(3)
  expect(new Set(written)).toEqual(new Set([folder]))
})

it('the units for systemd name no place that they do not make and the manual does not tell to make', () => {
  const manual = read('docs/operating.md')
  const units = ['deploy/postrider.service', 'deploy/postrider@.service'].map(read)
  const said = (place: string): boolean =>
    manual.includes(place) ||
    units.some((unit) => unit.match(/^#.*$/gm)?.some((line) => line.includes(place)))
  for (const unit of units)
    for (const [, key = '', value = ''] of unit.matchAll(
      /^(EnvironmentFile|ReadWritePaths|WorkingDirectory)=(.+)$/gm,
    ))
      for (const place of value.split(' '))
        expect(said(place.replace('%i', 'web-1')), `${key}=${place}`).toBe(true)
  expect(manual).toMatch(/useradd .* postrider$/m)
  expect(units.every((unit) => unit.includes('\nUser=postrider\n'))).toBe(true)
})

/** Numbers of this process and this installation, in the text that Prometheus reads. */
export type Metrics = {
  /** Only ever grows, and begins at zero with the process. */
  counter(name: string, help: string): (labels?: Labels, by?: number) => void
  /** Read anew whenever somebody asks. */
  gauge(name: string, help: string, read: () => Promise<readonly Sample[]> | readonly Sample[]): void
  text(): Promise<string>
}

type Labels = Readonly<Record<string, string>>
export type Sample = { labels?: Labels; value: number }

type Kind = 'counter' | 'gauge'
type Family = {
  name: string
  help: string
  kind: Kind
  read: () => Promise<readonly Sample[]> | readonly Sample[]
}

export function createMetrics(): Metrics {
  const families: Family[] = []

  return {
    counter(name, help) {
      const counts = new Map<string, { labels: Labels; value: number }>()
      families.push({ name, help, kind: 'counter', read: () => [...counts.values()] })
      return (labels = {}, by = 1) => {
        const key = labelsText(labels)
        const known = counts.get(key)
        if (known) known.value += by
        else counts.set(key, { labels, value: by })
      }
    },

    gauge: (name, help, read) => void families.push({ name, help, kind: 'gauge', read }),

    async text() {
      const parts = await Promise.all(families.map(familyText))
      return parts.join('')
    },
  }
}

async function familyText({ name, help, kind, read }: Family): Promise<string> {
  // One that cannot be read, such as those of a database that is away, is left out: the others are told all the more.
  const samples = await Promise.resolve()
    .then(read)
    .catch(() => [])
  const lines = samples.map(({ labels = {}, value }) => `${name}${labelsText(labels)} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${lines.join('')}`
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (value: string): string =>
  value.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))

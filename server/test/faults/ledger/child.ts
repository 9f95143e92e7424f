import { Command, LedgerKind, type Report } from './protocol.ts'

/** The ledger's end of the wire to the test that started it. */
export function obey(handlers: {
  ports: readonly number[]
  act: (command: Command) => Promise<void>
  report: () => Omit<Report, 'id' | 'ports'>
}): void {
  const answer = (id: number) => process.send?.({ id, ports: handlers.ports, ...handlers.report() })
  process.on('message', async (message) => {
    const command = Command.parse(message)
    await handlers.act(command)
    answer(command.id)
  })
  // A test that ended without a word must not leave its ledger behind.
  process.on('disconnect', () => process.exit(0))
  answer(0)
}

/** Arguments: whom to play, the file to write, the number of doors. */
export function readArguments(): { kind: LedgerKind; path: string; doors: number } {
  const [kind, path, doors = '1'] = process.argv.slice(2)
  if (!path) throw new Error('a ledger needs a file to write to')
  return { kind: LedgerKind.parse(kind), path, doors: Number(doors) }
}

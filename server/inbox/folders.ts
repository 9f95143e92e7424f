import type { InboxFolder } from '../../contract/inbox.ts'

export type Folder = InboxFolder

/** How the database writes a folder. */
const LETTERS = { inbox: 'i', archived: 'a', automatic: 'm' } as const satisfies Record<Folder, string>
const FOLDERS = new Map<string, Folder>(
  (Object.entries(LETTERS) as [Folder, string][]).map(([folder, letter]) => [letter, folder]),
)

export const letterOf = (folder: Folder): string => LETTERS[folder]

export function folderOf(letter: string): Folder {
  const folder = FOLDERS.get(letter)
  if (!folder) throw new Error(`no folder is written ${letter}`)
  return folder
}

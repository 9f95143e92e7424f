import { type AddressText, FILE_MAX_BYTES, readAddressText } from '../../contract/addresses/address-file.ts'

export const ADDRESS_FILES = '.csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values'

/** A list of addresses that somebody chose or dropped; `error` says why it cannot be read. */
export async function openAddressFile(file: File): Promise<AddressText> {
  if (file.size > FILE_MAX_BYTES)
    return { error: `${file.name} is larger than 32 MB. Please split it, or leave out columns.` }
  const bytes = await file.arrayBuffer().catch(() => null)
  if (!bytes) return { error: `${file.name} could not be read. Was it moved or changed meanwhile?` }
  return readAddressText(file.name, file.type, new Uint8Array(bytes))
}

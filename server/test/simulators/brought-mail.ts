import { setTimeout as sleep } from 'node:timers/promises'

/** A mail that has arrived at a provider, with its envelope. */
export type ArrivedMail = { raw: Buffer; from: string; to: readonly string[] }

/** A mail that the provider has taken apart itself. */
export type MailInPieces = {
  from: string
  to: readonly string[]
  /** As they stood in the mail. */
  headers: readonly (readonly [name: string, value: string])[]
  text?: Buffer
  html?: Buffer
  attachments?: readonly { name: string; type: string; content: Buffer; contentId?: string }[]
}

export type Call = { headers: Record<string, string>; body: Buffer }

/** The status of each try, null where nobody answered. */
export type Tries = (number | null)[]

type Patience = {
  /** Whether the provider tries again after this. */
  retries: (status: number | null) => boolean
  /** In place of its minutes and hours; as many as there are, so often it tries again. */
  retryMs: readonly number[]
}

/** Posts until it is taken or given up. Each try is signed anew, as of its own time. */
export async function bring(url: URL, sign: () => Call, { retries, retryMs }: Patience): Promise<Tries> {
  const tries: Tries = []
  for (const wait of [...retryMs, null]) {
    const { headers, body } = sign()
    const status = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => null,
    )
    tries.push(status)
    const isTaken = status !== null && status >= 200 && status <= 299
    if (isTaken || wait === null || !retries(status)) return tries
    await sleep(wait)
  }
  return tries
}

/** Why a call was not done, as Telegram says it. */
export class Refusal extends Error {
  readonly status: number
  readonly parameters: { retry_after: number } | undefined

  constructor(status: number, description: string, parameters?: { retry_after: number }) {
    super(description)
    this.status = status
    this.parameters = parameters
  }
}

export const badRequest = (why: string): Refusal => new Refusal(400, `Bad Request: ${why}`)

export const tooMany = (seconds: number): Refusal =>
  new Refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds })

/**
 * The one error mechanism. An `AppError` is an answer: its sentence is for the person who reads the toast, its cause
 * is for the log. Anything else that is thrown is a surprise and is answered with 500 and no detail.
 */
export class AppError extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    sentence: string,
    options: { cause?: unknown; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(sentence, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.status = status
    this.headers = options.headers ?? {}
  }
}

/** Stops the start: the message is the only line that the operator sees. */
export class StartError extends Error {
  override name = 'StartError'
}

export class ConfigError extends StartError {
  override name = 'ConfigError'
}

/** Absent and foreign look the same on purpose: an id tells nothing about another user. */
export const notFound = (thing: string): AppError => new AppError(404, `This ${thing} does not exist`)

export const nothingHere = (): AppError => new AppError(404, 'There is nothing at this address')

export const tooManyRequests = (seconds: number): AppError => {
  const wait = Math.max(1, Math.ceil(seconds))
  return new AppError(429, `Too many attempts. Please wait ${inWords(wait)} and try again`, {
    headers: { 'retry-after': String(wait) },
  })
}

const inWords = (seconds: number): string => {
  if (seconds < 60) return `${seconds} second${seconds === 1 ? '' : 's'}`
  const minutes = Math.ceil(seconds / 60)
  return `${minutes} minute${minutes === 1 ? '' : 's'}`
}

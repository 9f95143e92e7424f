import { writeSync } from 'node:fs'
import { type Logger, type LoggerOptions, pino, stdSerializers } from 'pino'
import { createLogOutput } from './log-output.ts'

export type Log = Logger
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

const STDOUT = 1

const standardOutput = createLogOutput((bytes) => writeSync(STDOUT, bytes))
process.on('exit', standardOutput.flush)

/**
 * Logs are written by an allowlist: a request is its method, its route pattern and its status, never its URL (reset
 * links carry tokens), its headers (cookies, keys) or its body (passwords, codes). An error is its type, message,
 * code and stack: the extra fields that database and HTTP libraries hang on errors can hold values that users typed.
 */
export function createLog(level: LogLevel, destination: { write(line: string): void } = standardOutput): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError, error: describeError },
  }
  return pino(options, destination)
}

type DescribedError = { type: string; message: string; code?: string; stack?: string; cause?: DescribedError }

function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) {
    // The job queue reports plain objects that look like errors.
    const isAlike = typeof error === 'object' && error !== null && 'message' in error
    return {
      type: typeof error,
      message: isAlike ? String(error.message) : 'a thrown value that is not an error',
    }
  }
  const { type, stack } = stdSerializers.err(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return {
    type,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(stack === undefined ? {} : { stack }),
    ...(error.cause === undefined || depth > 3 ? {} : { cause: describeError(error.cause, depth + 1) }),
  }
}

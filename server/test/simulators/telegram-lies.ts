import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal, tooMany } from './telegram-refusal.ts'

/** One lie, told to one call. `after` means that it was done before the lie. */
export type TelegramFault =
  | { kind: 'rate-limit'; retryAfter: number }
  | { kind: 'answer'; status: number; description: string; when: 'before' | 'after' }
  /** What stands before the Bot API answers, a page instead of JSON. */
  | { kind: 'bad-gateway'; when: 'before' | 'after' }
  | { kind: 'reset'; when: 'before' | 'after' }
  /** No answer, ever. */
  | { kind: 'silence'; when: 'before' | 'after' }
  | { kind: 'delay'; ms: number }

export type Answer = { status: number; type: string; body: string | Buffer } | 'reset' | 'silence'

export function told(lie: Exclude<TelegramFault, { kind: 'delay' }>): Answer {
  switch (lie.kind) {
    case 'rate-limit':
      return refused(tooMany(lie.retryAfter))
    case 'answer':
      return refused(new Refusal(lie.status, lie.description))
    case 'bad-gateway':
      return {
        status: 502,
        type: 'text/html',
        body: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
      }
    default:
      return lie.kind
  }
}

export const refused = ({ status, message, parameters }: Refusal): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify({
    ok: false,
    error_code: status,
    description: message,
    ...(parameters ? { parameters } : {}),
  }),
})

export function give(answer: Answer, request: IncomingMessage, response: ServerResponse): void {
  if (answer === 'silence') return
  if (answer === 'reset') return void request.socket.resetAndDestroy()
  response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body)
}

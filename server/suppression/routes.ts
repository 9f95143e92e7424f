import { Readable } from 'node:stream'
import { z } from 'zod'
import { Message } from '../../contract/auth.ts'
import {
  AddSuppressionsRequest,
  AddSuppressionsResponse,
  CheckSuppressionsRequest,
  CheckSuppressionsResponse,
  NEXT_CURSOR_HEADER,
  RemoveSuppressionRequest,
  SUPPRESSIONS_BODY_LIMIT,
  Suppression,
  SuppressionsQuery,
} from '../../contract/suppressions.ts'
import { userOf } from '../auth/sessions.ts'
import { csvLine, isCommandLike } from '../platform/csv.ts'
import type { Http } from '../platform/http/http.ts'
import type { SuppressionService } from './service.ts'
import type { Row } from './store.ts'

export function suppressionRoutes(app: Http, { suppression }: { suppression: SuppressionService }): void {
  app.get(
    '/api/suppressions',
    { schema: { querystring: SuppressionsQuery, response: { 200: z.array(Suppression) } } },
    async (request, reply) => {
      const { entries, nextCursor } = await suppression.list(userOf(request).id, request.query)
      if (nextCursor !== null) reply.header(NEXT_CURSOR_HEADER, nextCursor)
      return entries
    },
  )

  app.get('/api/suppressions.csv', (request, reply) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="suppressions.csv"')
      .send(Readable.from(toCsv(suppression.all(userOf(request).id)))),
  )

  app.post(
    '/api/suppressions',
    {
      bodyLimit: SUPPRESSIONS_BODY_LIMIT,
      schema: { body: AddSuppressionsRequest, response: { 200: AddSuppressionsResponse } },
    },
    (request) => suppression.add(userOf(request).id, request.body.addresses),
  )

  app.post(
    '/api/suppressions/remove',
    { schema: { body: RemoveSuppressionRequest, response: { 200: Message } } },
    async (request) => {
      await suppression.remove(userOf(request).id, request.body)
      return { message: 'The address has been removed.' }
    },
  )

  app.post(
    '/api/suppressions/check',
    {
      bodyLimit: SUPPRESSIONS_BODY_LIMIT,
      schema: { body: CheckSuppressionsRequest, response: { 200: CheckSuppressionsResponse } },
    },
    async (request) => ({
      suppressed: await suppression.check(userOf(request).id, request.body.recipients),
    }),
  )
}

const COLUMNS = ['address', 'reason', 'words', 'campaign', 'since']

async function* toCsv(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map((value) => ({ value })))
  for await (const page of pages) yield page.map(lineOf).join('')
}

const lineOf = ({ address, reason, words, campaign, since }: Row): string =>
  csvLine([
    { value: address, isForeign: isCommandLike(address) },
    { value: reason },
    { value: words, isForeign: true },
    { value: campaign?.subject ?? null, isForeign: true },
    { value: since },
  ])

import { Readable } from 'node:stream'
import { z } from 'zod'
import {
  CampaignDetail,
  CampaignRecipients,
  DeliveriesPage,
  DeliveriesQuery,
  HistoryEntry,
  HistoryQuery,
  NEXT_CURSOR_HEADER,
  RetryUnconfirmedRequest,
  SEND_BODY_LIMIT,
  SendEmailRequest,
  SendEmailResponse,
} from '../../contract/campaigns.ts'
import { userOf } from '../auth/sessions.ts'
import type { DeliveryService } from '../delivery/service.ts'
import type { Http } from '../platform/http/http.ts'
import { idempotencyKeyIn } from '../platform/http/idempotency-key.ts'
import { AnyId } from '../platform/ids.ts'
import { toCsv } from './csv.ts'
import type { History } from './history.ts'
import { toRecipientsJson } from './recipient-list.ts'
import type { CampaignsService } from './service.ts'

type Dependencies = {
  campaigns: Pick<CampaignsService, 'send'>
  history: History
  delivery: Pick<DeliveryService, 'pause' | 'resume' | 'cancel' | 'retry'>
}

const CampaignPath = z.object({ id: AnyId })
const Nothing = z.strictObject({}).nullish()

export function campaignsRoutes(app: Http, { campaigns, history, delivery }: Dependencies): void {
  app.post(
    '/api/send-email',
    { bodyLimit: SEND_BODY_LIMIT, schema: { body: SendEmailRequest, response: { 200: SendEmailResponse } } },
    (request) => {
      const key = idempotencyKeyIn(request)
      // Another try may know a later state of the draft, and is the same request all the same.
      const { draftBasedOn: _, ...same } = request.body
      return campaigns.send(userOf(request), request.body, key === null ? null : { key, request: same })
    },
  )

  app.get(
    '/api/email-history',
    { schema: { querystring: HistoryQuery, response: { 200: z.array(HistoryEntry) } } },
    async (request, reply) => {
      const { entries, nextCursor } = await history.list(userOf(request).id, request.query)
      if (nextCursor !== null) reply.header(NEXT_CURSOR_HEADER, nextCursor)
      return entries
    },
  )

  app.get(
    '/api/email-history/:id',
    { schema: { params: CampaignPath, response: { 200: CampaignDetail } } },
    (request) => history.detail(userOf(request).id, request.params.id),
  )

  app.get(
    '/api/email-history/:id/deliveries',
    { schema: { params: CampaignPath, querystring: DeliveriesQuery, response: { 200: DeliveriesPage } } },
    (request) => history.deliveries(userOf(request).id, request.params.id, request.query),
  )

  app.get(
    '/api/email-history/:id/deliveries.csv',
    { schema: { params: CampaignPath } },
    async (request, reply) => {
      const pages = await history.allDeliveries(userOf(request).id, request.params.id)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="deliveries.csv"')
        .send(Readable.from(toCsv(pages)))
    },
  )

  app.get(
    '/api/email-history/:id/recipients',
    { schema: { params: CampaignPath, response: { 200: CampaignRecipients } } },
    async (request, reply) => {
      const pages = await history.recipients(userOf(request).id, request.params.id)
      const json = Readable.from(toRecipientsJson(pages))
      // A stream goes out as it is; what the contract says of it is for the description of the interface.
      return reply.type('application/json; charset=utf-8').send(json as never)
    },
  )

  const ACTIONS = {
    pause: delivery.pause,
    resume: delivery.resume,
    cancel: delivery.cancel,
    'retry-failed': (userId: string, id: string) => delivery.retry(userId, id, 'failed'),
  }
  for (const [name, act] of Object.entries(ACTIONS))
    app.post(
      `/api/email-history/:id/${name}`,
      { schema: { params: CampaignPath, body: Nothing, response: { 200: CampaignDetail } } },
      async (request) => {
        const { id } = userOf(request)
        await act(id, request.params.id)
        return history.detail(id, request.params.id)
      },
    )

  app.post(
    '/api/email-history/:id/retry-unconfirmed',
    {
      schema: {
        params: CampaignPath,
        body: RetryUnconfirmedRequest.nullish(),
        response: { 200: CampaignDetail },
      },
    },
    async (request) => {
      const { id } = userOf(request)
      await delivery.retry(id, request.params.id, 'unconfirmed', request.body?.shown)
      return history.detail(id, request.params.id)
    },
  )
}

import { z } from 'zod'
import { Message } from '../../contract/auth.ts'
import { SEND_BODY_LIMIT } from '../../contract/campaigns.ts'
import {
  DeleteDraftQuery,
  Draft,
  DraftList,
  DraftPath,
  DraftSummary,
  SaveDraftRequest,
} from '../../contract/drafts.ts'
import { userOf } from '../auth/sessions.ts'
import type { Http } from '../platform/http/http.ts'
import { AnyId } from '../platform/ids.ts'
import type { DraftsService } from './service.ts'

const AnyPath = z.object({ id: AnyId })

export function draftsRoutes(app: Http, { drafts }: { drafts: DraftsService }): void {
  app.get('/api/drafts', { schema: { response: { 200: DraftList } } }, (request) =>
    drafts.list(userOf(request).id),
  )

  app.get('/api/drafts/:id', { schema: { params: AnyPath, response: { 200: Draft } } }, (request) =>
    drafts.find(userOf(request).id, request.params.id),
  )

  app.put(
    '/api/drafts/:id',
    {
      // What can be sent can be kept until then.
      bodyLimit: SEND_BODY_LIMIT,
      schema: { params: DraftPath, body: SaveDraftRequest, response: { 200: DraftSummary } },
    },
    (request) => drafts.save(userOf(request).id, request.params.id, request.body),
  )

  app.delete(
    '/api/drafts/:id',
    { schema: { params: AnyPath, querystring: DeleteDraftQuery, response: { 200: Message } } },
    async (request) => {
      await drafts.remove(userOf(request).id, request.params.id, request.query.basedOn)
      return { message: 'The draft has been deleted.' }
    },
  )
}

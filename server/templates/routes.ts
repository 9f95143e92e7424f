import { Message } from '../../contract/auth.ts'
import {
  ChangeTemplateRequest,
  SaveTemplateRequest,
  Template,
  TemplateList,
  TemplatePath,
} from '../../contract/templates.ts'
import { userOf } from '../auth/sessions.ts'
import type { Http } from '../platform/http/http.ts'
import type { TemplatesService } from './service.ts'

/** A template holds a message of its own: as long as one that is sent. */
const BODY_LIMIT = 5 * 1024 * 1024

export function templatesRoutes(app: Http, { templates }: { templates: TemplatesService }): void {
  app.get('/api/templates', { schema: { response: { 200: TemplateList } } }, (request) =>
    templates.list(userOf(request).id),
  )

  app.get(
    '/api/templates/:id',
    { schema: { params: TemplatePath, response: { 200: Template } } },
    (request) => templates.find(userOf(request).id, request.params.id),
  )

  app.post(
    '/api/templates',
    { bodyLimit: BODY_LIMIT, schema: { body: SaveTemplateRequest, response: { 200: Template } } },
    (request) => templates.create(userOf(request).id, request.body),
  )

  app.put(
    '/api/templates/:id',
    {
      bodyLimit: BODY_LIMIT,
      schema: { params: TemplatePath, body: ChangeTemplateRequest, response: { 200: Template } },
    },
    (request) => templates.change(userOf(request).id, request.params.id, request.body),
  )

  app.delete(
    '/api/templates/:id',
    { schema: { params: TemplatePath, response: { 200: Message } } },
    async (request) => {
      await templates.remove(userOf(request).id, request.params.id)
      return { message: 'The template has been deleted.' }
    },
  )
}

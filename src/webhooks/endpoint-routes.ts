import type { Change, NewSecret } from '../accounts/merchants/change-merchant.ts';
import { WebhookSecret } from '../accounts/merchants/present.ts';
import { billingRoute } from '../accounts/projects/billing-route.ts';
import { SCOPES } from '../platform/access/key.ts';
import type { Principal } from '../platform/access/principal.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { SECRETS, SENDING } from '../platform/http/assistant.ts';
import { answerList, Page, pageQuery } from '../platform/http/list.ts';
import type { App } from '../platform/http/route.ts';
import { Flag, Name, Nullable, Optional, Shape, Text, Uuid } from '../platform/http/schema.ts';
import { withIdempotency } from '../platform/idempotency/with-idempotency.ts';
import { type Clock, realNow } from '../platform/lib/clock.ts';
import { AppError } from '../platform/lib/errors.ts';
import type { SecretBox } from '../platform/lib/secret-box.ts';
import {
  createEndpoint,
  type EndpointRules,
  generateEndpointSecret,
  patchEndpoint,
  removeEndpoint,
} from './change-endpoints.ts';
import { EndpointView, eventTypesOf, NewEndpointView, presentEndpoint } from './endpoint-present.ts';
import { findEndpoint, listEndpoints } from './endpoint-queries.ts';
import { testEndpoint } from './test-endpoint.ts';

const Url = { ...Text({ max: 2048, description: 'The same rules as for the webhookUrl.' }), format: 'uri' };

/** The bodies of requests, once for both versions of the API. */
export function endpointBodies(eventNames: readonly string[]) {
  const chosen = {
    name: Optional(Nullable(Name({ description: 'For yourself.' }))),
    eventTypes: Optional(eventTypesOf(eventNames)),
    isActive: Optional(Flag()),
  };
  return {
    CreateBody: Shape('CreateWebhookEndpointRequest', { url: Url, ...chosen }),
    UpdateBody: Shape('UpdateWebhookEndpointRequest', { url: Optional(Url), ...chosen }),
  };
}

const Tested = Shape('WebhookEndpointTest', { eventId: Uuid('Of the event that is about to be sent.') });

export interface EndpointRoutes extends EndpointRules {
  db: Database;
  clock: Clock;
  secrets: SecretBox;
  bodies: ReturnType<typeof endpointBodies>;
}

/** Events carry the names and e-mail addresses of customers: where they go is decided as for the merchant's own URL. */
const GUARDED = { scopes: SCOPES, ownerOnly: true, stepUp: true, verified: true } as const;
const tag = 'Webhook endpoints';

export function endpointRoutes(app: App, parts: EndpointRoutes): void {
  const { db, clock, bodies } = parts;
  const changeOf = ({ merchantId, actor }: Principal): Change => ({ merchantId, actor, now: clock.now() });

  billingRoute(app, {
    method: 'POST',
    path: '/webhook-endpoints',
    id: 'createWebhookEndpoint',
    sdk: 'webhookEndpoints.create',
    assistant: { withheld: SECRETS },
    tag,
    summary: 'Create a webhook endpoint',
    description:
      'One more place that events are sent to, with a secret of its own. It requires all four scopes or an owner who has just confirmed. There can be 16.',
    ...GUARDED,
    body: bodies.CreateBody,
    idempotency: 'text',
    success: { status: 201, schema: NewEndpointView, description: 'The new endpoint and its secret.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    handle: ({ principal, body, idempotencyKey, serialize }) =>
      once(db, changeOf(principal), 'createWebhookEndpoint', idempotencyKey, body, async (tx, change) => {
        const { endpoint, webhookSecret } = await createEndpoint(tx, change, body, parts);
        return { status: 201, text: serialize({ ...presentEndpoint(endpoint), webhookSecret }) };
      }),
  });

  billingRoute(app, {
    method: 'GET',
    path: '/webhook-endpoints',
    id: 'listWebhookEndpoints',
    sdk: 'webhookEndpoints.list',
    assistant: 'read',
    tag,
    summary: 'List webhook endpoints',
    description: 'Including the webhookUrl of the merchant profile, if one is set. Without secrets.',
    scopes: ['billing:read'],
    query: Shape(undefined, pageQuery),
    csv: true,
    success: { status: 200, schema: Page('WebhookEndpointPage', EndpointView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    handle: (call) =>
      answerList(
        call,
        EndpointView,
        (range) => listEndpoints(db, call.principal.merchantId, range),
        presentEndpoint,
      ),
  });

  billingRoute(app, {
    method: 'GET',
    path: '/webhook-endpoints/{endpointId}',
    id: 'getWebhookEndpoint',
    sdk: 'webhookEndpoints.retrieve',
    assistant: 'read',
    tag,
    summary: 'Get a webhook endpoint',
    scopes: ['billing:read'],
    success: { status: 200, schema: EndpointView, description: 'The endpoint as it is now.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const ref = { merchantId: principal.merchantId, id: params.endpointId!.toLowerCase() };
      const endpoint = await findEndpoint(db, ref);
      if (!endpoint) throw new AppError('NOT_FOUND');
      return presentEndpoint(endpoint);
    },
  });

  billingRoute(app, {
    method: 'PATCH',
    path: '/webhook-endpoints/{endpointId}',
    id: 'updateWebhookEndpoint',
    sdk: 'webhookEndpoints.update',
    assistant: { withheld: SECRETS },
    tag,
    summary: 'Update a webhook endpoint',
    description: 'Changes only the fields you send. Deliveries that are still to be sent go to the new URL.',
    ...GUARDED,
    body: bodies.UpdateBody,
    success: { status: 200, schema: EndpointView, description: 'The endpoint as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal, params, body }) {
      const id = params.endpointId!.toLowerCase();
      return presentEndpoint(
        await db.transaction((tx) => patchEndpoint(tx, changeOf(principal), id, body, parts)),
      );
    },
  });

  billingRoute(app, {
    method: 'DELETE',
    path: '/webhook-endpoints/{endpointId}',
    id: 'deleteWebhookEndpoint',
    sdk: 'webhookEndpoints.delete',
    assistant: { withheld: SECRETS },
    tag,
    summary: 'Delete a webhook endpoint',
    description: 'What is still to be sent to it is not sent; what was sent stays in the log.',
    ...GUARDED,
    success: { status: 204, description: 'Nothing more is sent to it.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal, params }) {
      const id = params.endpointId!.toLowerCase();
      await db.transaction((tx) => removeEndpoint(tx, changeOf(principal), id));
    },
  });

  endpointActions(app, parts, changeOf);
}

function endpointActions(
  app: App,
  { db, secrets }: EndpointRoutes,
  changeOf: (principal: Principal) => Change,
): void {
  billingRoute(app, {
    method: 'POST',
    path: '/webhook-endpoints/{endpointId}/generate-secret',
    id: 'generateWebhookEndpointSecret',
    sdk: 'webhookEndpoints.generateSecret',
    assistant: { withheld: SECRETS },
    tag,
    summary: 'Change the secret of a webhook endpoint',
    description: 'For 24 hours what is sent to it carries two signatures, one with each secret.',
    scopes: SCOPES,
    stepUp: true,
    verified: true,
    idempotency: 'text',
    success: { status: 200, schema: WebhookSecret, description: 'The new secret.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    handle({ principal, params, body, idempotencyKey, serialize }) {
      const id = params.endpointId!.toLowerCase();
      const operation = `generateWebhookEndpointSecret:${id}`;
      return once(db, changeOf(principal), operation, idempotencyKey, body ?? {}, async (tx, change) => {
        const secret: NewSecret = await generateEndpointSecret(tx, change, id, secrets);
        return { status: 200, text: serialize(secret) };
      });
    },
  });

  billingRoute(app, {
    method: 'POST',
    path: '/webhook-endpoints/{endpointId}/test',
    id: 'testWebhookEndpoint',
    sdk: 'webhookEndpoints.test',
    assistant: { withheld: SENDING },
    tag,
    summary: 'Test a webhook endpoint',
    description:
      'Sends `webhook_endpoint.test` to this endpoint alone: signed, retried and logged as any event.',
    scopes: ['billing:write'],
    verified: true,
    success: { status: 202, schema: Tested, description: 'The event is about to be sent.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'WEBHOOK_NOT_CONFIGURED'],
    async handle({ principal, params }) {
      const ref = { merchantId: principal.merchantId, id: params.endpointId!.toLowerCase() };
      return { eventId: await db.transaction((tx) => testEndpoint(tx, ref, realNow())) };
    },
  });
}

/** Runs a change whose answer has a secret: a repeat does not get the answer again. */
function once(
  db: Database,
  change: Change,
  operation: string,
  key: string | undefined,
  body: unknown,
  work: (tx: Tx, change: Change) => Promise<{ status: number; text: string }>,
) {
  const request = { merchantId: change.merchantId, operation, key, body, now: change.now, keepAnswer: false };
  return withIdempotency(db, request, (tx) => work(tx, change));
}

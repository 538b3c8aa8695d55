import { SCOPES } from '../platform/access/key.ts';
import { keyedRoute } from '../platform/access/keyed-route.ts';
import type { Database } from '../platform/db/database.ts';
import { SECRETS } from '../platform/http/assistant.ts';
import type { App } from '../platform/http/route.ts';
import type { Clock } from '../platform/lib/clock.ts';
import { removeFirstEndpoint } from './change-endpoints.ts';

/** Beside the route that sets the URL: what was chosen for the endpoint goes with it. */
export function firstEndpointRoutes(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  keyedRoute(app, {
    method: 'DELETE',
    path: '/api/b2b/merchants/webhook',
    id: 'removeWebhook',
    sdk: 'merchant.removeWebhook',
    assistant: { withheld: SECRETS },
    tag: 'Merchant',
    summary: 'Remove the webhook URL',
    description: 'Stops sending webhooks; events are kept and can be listed. Also 204 if no URL is set.',
    scopes: SCOPES,
    ownerOnly: true,
    stepUp: true,
    verified: true,
    success: { status: 204, description: 'No URL is set.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal }) {
      const change = { merchantId: principal.merchantId, actor: principal.actor, now: clock.now() };
      await db.transaction((tx) => removeFirstEndpoint(tx, change));
    },
  });
}

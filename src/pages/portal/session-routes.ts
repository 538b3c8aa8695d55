import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { PEOPLE } from '../../platform/http/assistant.ts';
import type { App } from '../../platform/http/route.ts';
import { Nullable, Optional, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { createPortalSession } from './create-session.ts';
import { PortalSessionView, presentSession } from './present.ts';

const CreateBody = Shape('CreatePortalSessionRequest', {
  projectId: Uuid(),
  customerId: Uuid(),
  returnUrl: Optional(
    Nullable(
      Text({ max: 2048, description: 'Where the portal’s return link goes: https, one of your pages.' }),
    ),
  ),
});

export interface PortalSessionRoutes {
  db: Database;
  clock: Clock;
  allowLoopback: boolean;
  publicUrl(): string;
}

export function portalSessionRoutes(app: App, parts: PortalSessionRoutes): void {
  const { db, clock, allowLoopback, publicUrl } = parts;

  billingRoute(app, {
    method: 'POST',
    path: '/portal-sessions',
    id: 'createPortalSession',
    sdk: 'portalSessions.create',
    assistant: { withheld: `It answers a link that signs in as the customer. ${PEOPLE}` },
    tag: 'Customer portal',
    summary: 'Create a portal session',
    description:
      'A link into the portal for one customer. It works once, within an hour. It is a secret and not stored: reusing an Idempotency-Key gets 409.',
    scopes: ['billing:write'],
    verified: true,
    body: CreateBody,
    idempotency: 'text',
    success: { status: 201, schema: PortalSessionView, description: 'The link, shown only once.' },
    errors: ['BAD_REQUEST'],
    handle({ principal, body, idempotencyKey: key, serialize }) {
      const { merchantId, actor } = principal;
      const now = clock.now();
      const request = { merchantId, operation: 'createPortalSession', key, body, now, keepAnswer: false };
      return withIdempotency(db, request, async (tx) => {
        const { projectId, customerId, returnUrl } = body;
        const input = { merchantId, projectId, customerId, returnUrl, actor, allowLoopback, now };
        const { session, url } = await createPortalSession(tx, { ...input, publicUrl: publicUrl() });
        return { status: 201, text: serialize(presentSession(session, url)) };
      });
    },
  });
}

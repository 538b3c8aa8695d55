import { billingRoute } from '../../accounts/projects/billing-route.ts';
import { answerList, Page, pageQuery } from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import { Nullable, OneOf, Optional, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { createPaywall } from './create-paywall.ts';
import type { X402Parts } from './parts.ts';
import { type Paywall, SETTLE_AT } from './paywall.ts';
import { findPaywall, listPaywalls, updatePaywallDeleted } from './paywall-queries.ts';

const settleAt = OneOf(
  SETTLE_AT,
  'How sure a payment must be before it is answered: confirmed within a second or two, finalized after about 13. By default confirmed up to $10, and finalized above and for credits.',
);

const CreateBody = Shape(
  'CreatePaywallRequest',
  {
    projectId: Uuid(),
    priceId: Uuid('What it sells. Never changes.'),
    resourceUrl: Optional(
      Nullable(Text({ max: 2048, description: 'What is sold, where that is not the paywall itself.' })),
    ),
    description: Text({ max: 500, description: 'What a program reads before it pays.' }),
    mimeType: Optional(Text({ description: 'Of what is sold; default application/json.' })),
    settleAt: Optional(Nullable(settleAt)),
  },
  {
    example: {
      projectId: '019b76da-a800-7000-8000-000000000001',
      priceId: '019b76da-a800-7000-8000-000000000003',
      description: '1,000 API calls',
    },
  },
);

const PaywallView = Shape('Paywall', {
  id: Uuid(),
  projectId: Uuid(),
  priceId: Uuid(),
  url: Text({ max: 2048, description: 'Answers 402 with an offer, and the receipt once it is paid.' }),
  resourceUrl: Nullable(Text({ max: 2048 })),
  description: Text({ max: 500 }),
  mimeType: Text(),
  settleAt: Nullable(settleAt),
  createdAt: Timestamp(),
});

const ListQuery = Shape(undefined, {
  ...pageQuery,
  projectId: Optional(Uuid()),
  priceId: Optional(Uuid()),
});

/** Hosted paywalls: a price that programs buy by x402. */
export function paywallRoutes(app: App, parts: X402Parts & { allowLoopback: boolean }): void {
  const { db, clock, allowLoopback, publicUrl } = parts;
  const present = ({ merchantId, token, ...paywall }: Paywall) => ({
    ...paywall,
    url: `${publicUrl()}/paywalls/${token}`,
  });

  billingRoute(app, {
    method: 'POST',
    path: '/x402/paywalls',
    id: 'createPaywall',
    sdk: 'paywalls.create',
    assistant: 'write',
    tag: 'x402',
    summary: 'Create a paywall',
    description: 'A URL where programs buy a price by x402.',
    scopes: ['billing:write'],
    verified: true,
    body: CreateBody,
    idempotency: 'text',
    success: { status: 201, schema: PaywallView, description: 'The new paywall.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE'],
    handle({ principal, body, idempotencyKey, serialize }) {
      const { merchantId } = principal;
      const now = clock.now();
      const request = { merchantId, operation: 'createPaywall', key: idempotencyKey, body, now };
      return withIdempotency(db, request, async (tx) => {
        const paywall = await createPaywall(tx, { merchantId, ...body, allowLoopback, now });
        return { status: 201, text: serialize(present(paywall)) };
      });
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/x402/paywalls',
    id: 'listPaywalls',
    sdk: 'paywalls.list',
    assistant: 'read',
    tag: 'x402',
    summary: 'List paywalls',
    scopes: ['billing:read'],
    query: ListQuery,
    success: { status: 200, schema: Page('PaywallPage', PaywallView), description: 'Newest first.' },
    csv: true,
    errors: ['BAD_REQUEST'],
    handle(call) {
      const { principal, query } = call;
      return answerList(
        call,
        PaywallView,
        (range) => listPaywalls(db, principal.merchantId, query, range),
        present,
      );
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/x402/paywalls/{paywallId}',
    id: 'getPaywall',
    sdk: 'paywalls.retrieve',
    assistant: 'read',
    tag: 'x402',
    summary: 'Get a paywall',
    scopes: ['billing:read'],
    success: { status: 200, schema: PaywallView, description: 'The paywall.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const ref = { merchantId: principal.merchantId, id: params.paywallId! };
      const paywall = await findPaywall(db, ref);
      if (!paywall) throw new AppError('NOT_FOUND');
      return present(paywall);
    },
  });

  billingRoute(app, {
    method: 'DELETE',
    path: '/x402/paywalls/{paywallId}',
    id: 'deletePaywall',
    sdk: 'paywalls.delete',
    assistant: { write: { destructive: true } },
    tag: 'x402',
    summary: 'Delete a paywall',
    description: 'It no longer offers anything. A payment that was already made keeps its receipt.',
    scopes: ['billing:write'],
    verified: true,
    success: { status: 204, description: 'Deleted.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const ref = { merchantId: principal.merchantId, id: params.paywallId! };
      if (!(await updatePaywallDeleted(db, ref, clock.now()))) throw new AppError('NOT_FOUND');
    },
  });
}

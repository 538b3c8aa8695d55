import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { DISCOUNTS } from '../../platform/http/assistant.ts';
import { answerList, Page, pageQuery } from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import { Flag, Optional, Shape, Uuid } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { CreateDiscountBody, UpdateDiscountBody } from './bodies.ts';
import { createDiscount } from './create-discount.ts';
import { patchDiscount } from './patch-discount.ts';
import { DiscountView, presentDiscount } from './present.ts';
import { findDiscount, listDiscounts } from './queries.ts';

const ListQuery = Shape(undefined, {
  ...pageQuery,
  projectId: Optional(Uuid()),
  isActive: Optional(Flag()),
});

export function discountRoutes(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  const tag = 'Discounts';

  billingRoute(app, {
    method: 'POST',
    path: '/discounts',
    id: 'createDiscount',
    sdk: 'discounts.create',
    assistant: { withheld: DISCOUNTS },
    tag,
    summary: 'Create a discount',
    description: 'What it takes off, of what and for how long never changes; who can get it does.',
    scopes: ['billing:write'],
    verified: true,
    body: CreateDiscountBody,
    idempotency: 'text',
    success: { status: 201, schema: DiscountView, description: 'The new discount.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE'],
    handle({ principal, body, idempotencyKey, serialize }) {
      const { merchantId } = principal;
      const now = clock.now();
      const request = { merchantId, operation: 'createDiscount', key: idempotencyKey, body, now };
      return withIdempotency(db, request, async (tx) => {
        const discount = await createDiscount(tx, { ...body, merchantId, now });
        return { status: 201, text: serialize(presentDiscount(discount)) };
      });
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/discounts',
    id: 'listDiscounts',
    sdk: 'discounts.list',
    assistant: 'read',
    tag,
    summary: 'List discounts',
    scopes: ['billing:read'],
    query: ListQuery,
    csv: true,
    success: { status: 200, schema: Page('DiscountPage', DiscountView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    handle: (call) =>
      answerList(
        call,
        DiscountView,
        (range) => listDiscounts(db, call.principal.merchantId, call.query, range),
        presentDiscount,
      ),
  });

  billingRoute(app, {
    method: 'GET',
    path: '/discounts/{discountId}',
    id: 'getDiscount',
    sdk: 'discounts.retrieve',
    assistant: 'read',
    tag,
    summary: 'Get a discount',
    scopes: ['billing:read'],
    success: { status: 200, schema: DiscountView, description: 'The discount as it is now.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const discount = await findDiscount(db, { merchantId: principal.merchantId, id: params.discountId! });
      if (!discount) throw new AppError('NOT_FOUND');
      return presentDiscount(discount);
    },
  });

  billingRoute(app, {
    method: 'PATCH',
    path: '/discounts/{discountId}',
    id: 'updateDiscount',
    sdk: 'discounts.update',
    assistant: { withheld: DISCOUNTS },
    tag,
    summary: 'Update a discount',
    description: 'Its name, and who can still get it. Those who have it keep it.',
    scopes: ['billing:write'],
    body: UpdateDiscountBody,
    success: { status: 200, schema: DiscountView, description: 'The discount as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, body }) {
      const { merchantId, actor } = principal;
      const input = { merchantId, id: params.discountId!, actor, change: body, now: clock.now() };
      return presentDiscount(await db.transaction((tx) => patchDiscount(tx, input)));
    },
  });
}

import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { DISCOUNTS } from '../../platform/http/assistant.ts';
import { answerList, Page, pageQuery } from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import { Flag, Optional, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { CreateCodeBody, UpdateCodeBody } from './bodies.ts';
import { createCode } from './create-promotion-code.ts';
import { patchCode } from './patch-discount.ts';
import { PromotionCodeView, presentCode } from './present.ts';
import { findCode, listCodes } from './queries.ts';

const ListQuery = Shape(undefined, {
  ...pageQuery,
  projectId: Optional(Uuid()),
  discountId: Optional(Uuid()),
  code: Optional(Text({ max: 50, description: 'Exactly this code, case-insensitive.' })),
  isActive: Optional(Flag()),
});

export function promotionCodeRoutes(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  const tag = 'Discounts';

  billingRoute(app, {
    method: 'POST',
    path: '/promotion-codes',
    id: 'createPromotionCode',
    sdk: 'promotionCodes.create',
    assistant: { withheld: DISCOUNTS },
    tag,
    summary: 'Create a promotion code',
    description: 'Customers who have the code get its discount. Without `code` one is generated.',
    scopes: ['billing:write'],
    verified: true,
    body: CreateCodeBody,
    idempotency: 'text',
    success: { status: 201, schema: PromotionCodeView, description: 'The new code.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE', 'PROMOTION_CODE_EXISTS'],
    handle({ principal, body, idempotencyKey, serialize }) {
      const { merchantId } = principal;
      const now = clock.now();
      const request = { merchantId, operation: 'createPromotionCode', key: idempotencyKey, body, now };
      return withIdempotency(db, request, async (tx) => {
        const code = await createCode(tx, { ...body, merchantId, now });
        return { status: 201, text: serialize(presentCode(code)) };
      });
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/promotion-codes',
    id: 'listPromotionCodes',
    sdk: 'promotionCodes.list',
    assistant: 'read',
    tag,
    summary: 'List promotion codes',
    scopes: ['billing:read'],
    query: ListQuery,
    csv: true,
    success: {
      status: 200,
      schema: Page('PromotionCodePage', PromotionCodeView),
      description: 'Newest first.',
    },
    errors: ['BAD_REQUEST'],
    handle: (call) =>
      answerList(
        call,
        PromotionCodeView,
        (range) => listCodes(db, call.principal.merchantId, call.query, range),
        presentCode,
      ),
  });

  billingRoute(app, {
    method: 'GET',
    path: '/promotion-codes/{promotionCodeId}',
    id: 'getPromotionCode',
    sdk: 'promotionCodes.retrieve',
    assistant: 'read',
    tag,
    summary: 'Get a promotion code',
    scopes: ['billing:read'],
    success: { status: 200, schema: PromotionCodeView, description: 'The code as it is now.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const code = await findCode(db, { merchantId: principal.merchantId, id: params.promotionCodeId! });
      if (!code) throw new AppError('NOT_FOUND');
      return presentCode(code);
    },
  });

  billingRoute(app, {
    method: 'PATCH',
    path: '/promotion-codes/{promotionCodeId}',
    id: 'updatePromotionCode',
    sdk: 'promotionCodes.update',
    assistant: { withheld: DISCOUNTS },
    tag,
    summary: 'Switch a promotion code on or off',
    scopes: ['billing:write'],
    body: UpdateCodeBody,
    success: { status: 200, schema: PromotionCodeView, description: 'The code as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, body }) {
      const { merchantId, actor } = principal;
      const input = { merchantId, id: params.promotionCodeId!, actor, change: body, now: clock.now() };
      return presentCode(await db.transaction((tx) => patchCode(tx, input)));
    },
  });
}

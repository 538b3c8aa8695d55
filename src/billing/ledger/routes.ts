import { customerExpansion } from '../../accounts/customers/load-customers.ts';
import { findCustomer, listMerged, lockCustomerForUse } from '../../accounts/customers/queries.ts';
import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { PEOPLE } from '../../platform/http/assistant.ts';
import { answerList, Page, pageQuery, type Range } from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import { Int64, Optional, Shape, Text } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { post } from './post.ts';
import { BalanceEntryView, presentPosting } from './present.ts';
import { listPostings } from './queries.ts';

const AdjustBody = Shape(
  'AdjustBalanceRequest',
  {
    deltaCredits: Optional(Int64({ description: 'Prepaid credits to add; negative to deduct.' })),
    deltaCents: Optional(Int64({ description: 'Account credit to add, in cents; negative to deduct.' })),
    reason: Text({ description: 'Stored with the entry.' }),
  },
  { example: { deltaCredits: 500, reason: 'goodwill' } },
);

export function ledgerRoutes(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  billingRoute(app, {
    method: 'POST',
    path: '/customers/{customerId}/balance-adjustments',
    id: 'adjustBalance',
    sdk: 'customers.adjustBalance',
    assistant: { withheld: `It gives credit away. ${PEOPLE}` },
    tag: 'Customers',
    summary: 'Adjust a balance',
    description: 'Send exactly one of `deltaCredits` and `deltaCents`. A balance never falls below zero.',
    scopes: ['billing:write'],
    verified: true,
    body: AdjustBody,
    idempotency: 'text',
    success: { status: 201, schema: BalanceEntryView, description: 'The new balance entry.' },
    errors: ['BAD_REQUEST', 'INSUFFICIENT_BALANCE', 'NOT_FOUND', 'INVALID_STATE'],
    handle({ principal, params, body, idempotencyKey, serialize }) {
      const { merchantId } = principal;
      const customerId = params.customerId!.toLowerCase();
      const { deltaCredits = 0n, deltaCents = 0n, reason } = body;
      const now = clock.now();
      const request = {
        merchantId,
        operation: `adjustBalance:${customerId}`,
        key: idempotencyKey,
        body,
        now,
      };
      return withIdempotency(db, request, async (tx) => {
        if (!(await lockCustomerForUse(tx, { merchantId, id: customerId }))) throw new AppError('NOT_FOUND');
        requireOne(body);
        const counterAccount = 'adjustment';
        const entry = await post(tx, {
          merchantId,
          customerId,
          deltaCredits,
          deltaCents,
          counterAccount,
          reason,
          now,
        });
        return { status: 201, text: serialize(presentPosting(entry)) };
      });
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/customers/{customerId}/balance-entries',
    id: 'listBalanceEntries',
    sdk: 'customers.listBalanceEntries',
    assistant: 'read',
    tag: 'Customers',
    summary: 'List balance entries',
    description: 'Every movement of the customer’s two balances. Entries are never changed.',
    scopes: ['billing:read'],
    query: Shape(undefined, pageQuery),
    csv: true,
    success: {
      status: 200,
      schema: Page('BalanceEntryPage', BalanceEntryView),
      description: 'Newest first.',
    },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle(call) {
      const { merchantId } = call.principal;
      const customerId = call.params.customerId!;
      const customer = await findCustomer(db, { merchantId, id: customerId });
      if (!customer) throw new AppError('NOT_FOUND');
      const holderId = customer.mergedIntoId ?? customer.id;
      const merged = await listMerged(db, { merchantId, id: holderId });
      const customerIds = [holderId, ...merged.map(({ id }) => id)];
      const read = (range: Range) => listPostings(db, { merchantId, customerIds }, range);
      return answerList(call, BalanceEntryView, read, presentPosting, {
        customer: customerExpansion(db, merchantId),
      });
    },
  });
}

/** Requires exactly one change; an error names the field that is wrong. */
function requireOne(body: { deltaCredits?: bigint | undefined; deltaCents?: bigint | undefined }): void {
  const given = (['deltaCredits', 'deltaCents'] as const).filter((name) => body[name] !== undefined);
  const moving = given.filter((name) => body[name] !== 0n);
  if (moving.length === 1) return;
  if (moving.length === 2) throw badField('deltaCredits', 'and deltaCents cannot be combined');
  if (given.length === 1) throw badField(given[0]!, 'must not be 0');
  throw badField('deltaCredits', 'or deltaCents is required, and must not be 0');
}

import { billingRoute } from '../../accounts/projects/billing-route.ts';
import { SCOPES } from '../../platform/access/key.ts';
import { requireScopes } from '../../platform/access/principal.ts';
import type { Database } from '../../platform/db/database.ts';
import { PEOPLE } from '../../platform/http/assistant.ts';
import type { App } from '../../platform/http/route.ts';
import { Flag, Optional, Shape } from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { eraseCustomer } from './erase-customer.ts';
import { ErasureView, presentErasure } from './present.ts';
import { findErasure } from './queries.ts';

const DeleteCustomerQuery = Shape(undefined, {
  discardBalance: Optional(
    Flag('Give up prepaid credits and account credit that the customer has left. Requires all four scopes.'),
  ),
});

export function erasureRoutes(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  const tag = 'Customers';

  billingRoute(app, {
    method: 'DELETE',
    path: '/customers/{customerId}',
    id: 'deleteCustomer',
    sdk: 'customers.delete',
    assistant: { withheld: `It erases what is known of a person, and cannot be undone. ${PEOPLE}` },
    tag,
    summary: 'Delete a customer and erase their data',
    description:
      'Immediately the customer is found nowhere, the portal is closed and checkouts that could still be paid are canceled. What was recorded of them is overwritten in the background; invoices keep what the law requires. It cannot be undone.',
    scopes: ['billing:write'],
    ownerOnly: true,
    stepUp: true,
    query: DeleteCustomerQuery,
    success: { status: 202, schema: ErasureView, description: 'How far the erasure is.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, query }) {
      const { merchantId, actor } = principal;
      const { discardBalance = false } = query;
      if (discardBalance) requireScopes(principal, SCOPES);
      const input = { merchantId, customerId: params.customerId!.toLowerCase(), actor, discardBalance };
      return presentErasure(await db.transaction((tx) => eraseCustomer(tx, { ...input, now: clock.now() })));
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/customers/{customerId}/erasure',
    id: 'getCustomerErasure',
    sdk: 'customers.retrieveErasure',
    assistant: 'read',
    tag,
    summary: 'Get how far a customer’s erasure is',
    scopes: ['billing:read'],
    success: { status: 200, schema: ErasureView, description: 'How far the erasure is.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const ref = { merchantId: principal.merchantId, customerId: params.customerId!.toLowerCase() };
      const erasure = await findErasure(db, ref);
      if (!erasure) throw new AppError('NOT_FOUND');
      return presentErasure(erasure);
    },
  });
}

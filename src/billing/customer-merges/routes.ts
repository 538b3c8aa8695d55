import { CustomerView, presentCustomer } from '../../accounts/customers/present.ts';
import { findCustomer } from '../../accounts/customers/queries.ts';
import { billingRoute } from '../../accounts/projects/billing-route.ts';
import { SCOPES } from '../../platform/access/key.ts';
import type { Database } from '../../platform/db/database.ts';
import { PEOPLE } from '../../platform/http/assistant.ts';
import type { App } from '../../platform/http/route.ts';
import { Shape, Uuid } from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { mergeCustomers } from './merge-customers.ts';

const MergeBody = Shape('MergeCustomerRequest', {
  intoCustomerId: Uuid('Who they are: another customer of the same project, whose details stay.'),
});

export function mergeRoutes(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  billingRoute(app, {
    method: 'POST',
    path: '/customers/{customerId}/merge',
    id: 'mergeCustomer',
    sdk: 'customers.merge',
    assistant: { withheld: `It gives one person what another has, and cannot be undone. ${PEOPLE}` },
    tag: 'Customers',
    summary: 'Merge a customer into another',
    description:
      'For somebody who was written down twice. Balances are added up, and both ids stand for one person from now on: with the details of the other customer, one balance, one trial of each product, and one portal that shows everything of both. What was sold stays as it is, and `externalCustomerId` keeps finding the same id. It requires all four scopes or an owner who has just confirmed, and cannot be undone.',
    scopes: SCOPES,
    ownerOnly: true,
    stepUp: true,
    body: MergeBody,
    success: { status: 200, schema: CustomerView, description: 'The customer, merged.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, body }) {
      const { merchantId, actor } = principal;
      const id = params.customerId!.toLowerCase();
      const intoId = body.intoCustomerId.toLowerCase();
      await db.transaction((tx) => mergeCustomers(tx, { merchantId, id, intoId, actor, now: clock.now() }));
      return presentCustomer((await findCustomer(db, { merchantId, id }))!);
    },
  });
}

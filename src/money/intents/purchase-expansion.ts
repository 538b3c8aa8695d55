import { type Principal, requireScopes } from '../../platform/access/principal.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { Expanded, ExpandQuery, type Expansions } from '../../platform/http/expand.ts';
import { Int32, Nullable, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import { buyerExpansions } from './buyer-expansion.ts';
import { listPurchases } from './buyer-queries.ts';
import type { Intent } from './intent.ts';
import { IntentView } from './present.ts';

export const expand = ExpandQuery(['purchase']);

const PurchaseView = Shape('Purchase', {
  checkoutSessionId: Uuid(),
  projectId: Uuid(),
  customerId: Nullable(Uuid()),
  externalCustomerId: Nullable(Text()),
  customerName: Nullable(
    Text({ description: 'The name the customer has now, or the one given at checkout.' }),
  ),
  customerEmail: Nullable(Text()),
  invoiceId: Uuid(),
  subscriptionId: Nullable(Uuid()),
  description: Nullable(Text({ description: 'The first line of what is paid for.' })),
  lineCount: Int32({ description: 'How many lines there are.' }),
});

export const ExpandedIntentView = Expanded('ExpandedPaymentIntent', IntentView, {
  purchase: Nullable(PurchaseView),
});

/** The buyer and what was bought; null for an intent of no checkout. It belongs to billing, so the key must be able to read that. */
export function intentExpansions(
  db: Queryable,
  principal: Principal,
  wanted: readonly string[] | undefined,
): Expansions<Intent> | undefined {
  const { merchantId } = principal;
  if (wanted) requireScopes(principal, ['billing:read']);
  const idOf = ({ id }: Intent) => id;
  const load = async (ids: string[]) =>
    new Map(
      (await listPurchases(db, merchantId, ids)).map(({ intentId, ...purchase }) => [intentId, purchase]),
    );
  const buyers = buyerExpansions<Intent>(db, principal, idOf);
  return buyers && { ...buyers, purchase: { idOf, load } };
}

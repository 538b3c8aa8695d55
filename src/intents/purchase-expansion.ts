import { type Principal, requireScopes } from '../platform/access/principal.ts';
import type { Queryable } from '../platform/db/database.ts';
import { Expanded, ExpandQuery, type Expansions } from '../platform/http/expand.ts';
import { Int32, Int64, Nullable, Shape, Text, Timestamp, Uuid } from '../platform/http/schema.ts';
import { buyerExpansions } from './buyer-expansion.ts';
import { listPurchases } from './buyer-queries.ts';
import type { Intent } from './intent.ts';
import { listOutcomes } from './outcome-queries.ts';
import { IntentView } from './present.ts';

export const expand = ExpandQuery(['purchase', 'outcome']);

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

const OutcomeView = Shape('PaymentOutcome', {
  succeededAt: Nullable(Timestamp()),
  refundedCents: Int64({ description: 'What was sent back of it.' }),
});

export const ExpandedIntentView = Expanded('ExpandedPaymentIntent', IntentView, {
  purchase: Nullable(PurchaseView),
  outcome: OutcomeView,
});

/**
 * Loads the outcome of an intent; and its buyer and purchase, which are null for an intent of no checkout. These two
 * belong to billing, so the key must be able to read that.
 */
export function intentExpansions(
  db: Queryable,
  principal: Principal,
  wanted: readonly string[] | undefined,
): Expansions<Intent> {
  const { merchantId } = principal;
  if (wanted?.includes('purchase')) requireScopes(principal, ['billing:read']);
  const idOf = ({ id }: Intent) => id;
  const outcome = {
    idOf,
    load: async (ids: string[]) =>
      new Map((await listOutcomes(db, merchantId, ids)).map(({ intentId, ...rest }) => [intentId, rest])),
  };
  const load = async (ids: string[]) =>
    new Map(
      (await listPurchases(db, merchantId, ids)).map(({ intentId, ...purchase }) => [intentId, purchase]),
    );
  const buyers = buyerExpansions<Intent>(db, principal, idOf);
  return { outcome, ...(buyers && { ...buyers, purchase: { idOf, load } }) };
}

import type { PlanEmailKind, PlanFacts } from '../../email/email.ts';
import { queuePlanEmail } from '../../email/queue-email.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { findPrice } from '../catalog/queries.ts';
import { accessUntil, type Plan, type Subscription } from '../subscriptions/subscription.ts';

/**
 * Queues the e-mail to the customer about a change of a subscription, in the transaction that makes it: once for each change, by the
 * merchant or in the portal. `subscription` is as it is after the change.
 */
export async function emailPlan(
  tx: Tx,
  subscription: Subscription,
  kind: PlanEmailKind,
  given: Partial<PlanFacts> & { of?: Plan<CatalogPrice> } = {},
): Promise<void> {
  if (!tx.queuesEmails) return;
  const { merchantId, projectId, customerId, id, sequence } = subscription;
  const { of = await planOf(tx, subscription), ...facts } = given;
  await queuePlanEmail(tx, {
    ...{ merchantId, projectId, customerId, kind, subscriptionId: id, number: sequence },
    facts: {
      plan: planText(of),
      at: accessUntil(subscription) ?? subscription.createdAt,
      dueCents: 0n,
      payUrl: null,
      ...facts,
    },
  });
}

async function planOf(tx: Tx, { merchantId, priceId, quantity }: Subscription): Promise<Plan<CatalogPrice>> {
  return { price: (await findPrice(tx, { merchantId, id: priceId }))!, quantity };
}

/** `3 × Team (Yearly)`. */
function planText({ price, quantity }: Plan<CatalogPrice>): string {
  const name = price.name === null ? price.productName : `${price.productName} (${price.name})`;
  return quantity === 1 ? name : `${quantity} × ${name}`;
}

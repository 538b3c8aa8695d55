import { FlorinError, florin, type Int64 } from './florin.ts';
import { type Account, METRIC, type Plan } from './set-up.ts';

export async function balanceOf(account: Account): Promise<Int64> {
  return (await florin.customers.retrieve(account.customerId)).creditBalance;
}

/** Takes what one call costs, once for each key; false when the credits do not suffice, and then nothing is taken. */
export async function takeCredits(plan: Plan, account: Account, idempotencyKey: string): Promise<boolean> {
  try {
    await florin.usage.record({
      projectId: plan.projectId,
      customerId: account.customerId,
      metric: METRIC,
      quantity: 1,
      idempotencyKey,
    });
    return true;
  } catch (error) {
    if (error instanceof FlorinError && error.code === 'INSUFFICIENT_BALANCE') return false;
    throw error;
  }
}

/** Link to buy more credits. While a checkout is open it is that one: a caller in a loop opens no thousands. */
export async function topUpUrl(plan: Plan, account: Account): Promise<string> {
  const { projectId, priceId } = plan;
  const { customerId } = account;
  const { data } = await florin.checkoutSessions.list({ projectId, customerId, status: 'open', limit: 1 });
  if (data[0]) return data[0].checkoutUrl;
  const session = await florin.checkoutSessions.create({
    projectId,
    mode: 'balance_top_up',
    priceId,
    externalCustomerId: account.name,
  });
  return session.checkoutUrl;
}

import { type Customer, FlorinError, florin } from './florin.ts';
import { METRIC, type Shop } from './set-up.ts';

/** Customer whose credits a token spends; null if it is forged or revoked. */
export async function customerOf(token: string): Promise<Customer | null> {
  return (await florin.creditTokens.verify({ token })).customer;
}

/** Takes what one call costs, once for each key; false when the credits do not suffice, and then nothing is taken. */
export async function takeCredit(shop: Shop, customer: Customer, idempotencyKey: string): Promise<boolean> {
  try {
    await florin.usage.record({
      projectId: shop.projectId,
      customerId: customer.id,
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

import type { CheckoutSession } from '@florin/sdk';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { tn } from '../words/t.ts';

/** The checkout that requested a payment, with its invoice; null for the API or a terminal, undefined while it loads. */
export function useCheckoutOf(paymentIntentId: string) {
  const { data } = useQuery({
    queryKey: ['checkout-sessions', 'of', paymentIntentId],
    queryFn: async () => {
      const page = await florin.checkoutSessions.list({ paymentIntentId, limit: 1, expand: 'invoice' });
      return page.data[0] ?? null;
    },
  });
  return data;
}

/** Returns a name for the buyer, as far as it is known. */
export function buyerText(
  session: Pick<CheckoutSession, 'customerName' | 'customerEmail' | 'externalCustomerId'>,
): string | null {
  return session.customerName ?? session.customerEmail ?? session.externalCustomerId;
}

/** `Desk lamp`, or `Desk lamp and 2 more`. */
export function linesText(lines: readonly { description: string }[]): string | null {
  const [first, ...others] = lines;
  if (!first) return null;
  return others.length === 0
    ? first.description
    : tn(others.length, '{product} and {count} more', '{product} and {count} more', {
        product: first.description,
      });
}

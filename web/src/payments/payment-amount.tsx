import type { Int64 } from '@florin/sdk';
import { WithBelow } from '../parts/lead.tsx';
import { Money, moneyText } from '../parts/money.tsx';
import { Status, words } from '../parts/status.tsx';
import { t } from '../words/t.ts';

interface Amounts {
  expected: Int64;
  received: Int64;
  isPaid: boolean;
}

/** Returns the cents that count: revenue is what arrived, which may be more or less than was expected. */
export const countedCents = ({ expected, received, isPaid }: Amounts): Int64 =>
  isPaid ? received : expected;

/** Amount that a payment brought, with the expected one if they differ; for an open payment the expected amount. */
export function PaymentAmount(amounts: Amounts) {
  const counted = countedCents(amounts);
  const differs = BigInt(counted) !== BigInt(amounts.expected);
  return (
    <WithBelow below={differs && t('{amount} expected', { amount: moneyText(amounts.expected) })}>
      <Money cents={counted} />
    </WithBelow>
  );
}

/** The state of a payment, and whether money was sent back of it since. */
export function PaymentStatus({
  of,
  received,
  refunded = 0,
}: {
  of: string;
  received: Int64;
  refunded?: Int64 | undefined;
}) {
  const state = refundState(received, refunded);
  return (
    <WithBelow below={state && words(state)}>
      <Status of={of} />
    </WithBelow>
  );
}

/** None where nothing was sent back. */
export function refundState(received: Int64, refunded: Int64): 'partly_refunded' | 'refunded' | null {
  if (BigInt(refunded) === 0n) return null;
  return BigInt(refunded) < BigInt(received) ? 'partly_refunded' : 'refunded';
}

import type { CheckoutSession } from '@florin/sdk';
import { Status } from '../parts/status.tsx';

/** While it is open, what has been seen of the money says more. */
export function SessionStatus({ session }: { session: CheckoutSession }) {
  const { status, paymentStatus } = session;
  const isMoving = status === 'open' && paymentStatus !== 'unpaid';
  return <Status of={isMoving ? paymentStatus : status} />;
}

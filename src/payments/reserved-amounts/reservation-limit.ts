import { elapsedMs } from '../../platform/lib/clock.ts';
import { NetworkBuckets } from '../../platform/limits/network-buckets.ts';
import { refusal } from '../../platform/limits/token-buckets.ts';

/** Counts a new reservation against the network address that asks; an error when it has had too many. */
export type CountReservation = (ip: string) => void;

/** A price has 9,999 amounts at an address, and one is gone for weeks: a stranger must not use them up for everybody. */
const OF_CLIENT = { perSecond: 1 / 120, burst: 30 };

export function reservationLimit(isLimited: boolean): CountReservation {
  const clients = new NetworkBuckets(OF_CLIENT, 'reserved amounts');
  return (ip) => {
    const result = clients.take(ip, elapsedMs());
    if (isLimited && !result.allowed) throw refusal(result);
  };
}

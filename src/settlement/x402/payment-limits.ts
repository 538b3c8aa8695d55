import { elapsedMs } from '../../platform/lib/clock.ts';
import { networkOf } from '../../platform/limits/network-of.ts';
import { refusal, TokenBuckets } from '../../platform/limits/token-buckets.ts';

/** Throws once a client or a payer is too fast. */
export type CountPayment = (ip: string, payer: string) => void;

/** Each payment that gets this far costs calls to a node: strangers must not use up those that detect payments. */
export function paymentLimits(isLimited: boolean): CountPayment {
  if (!isLimited) return () => {};
  const ofClients = new TokenBuckets({ perSecond: 10, burst: 100 });
  const ofPayers = new TokenBuckets({ perSecond: 5, burst: 60 });
  return (ip, payer) => {
    for (const result of [ofClients.take(networkOf(ip), elapsedMs()), ofPayers.take(payer, elapsedMs())])
      if (!result.allowed) throw refusal(result);
  };
}

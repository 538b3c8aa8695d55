import type { ReconcileProgress } from '../../payments/reconcile/reconcile.ts';
import { elapsedMs } from '../../platform/lib/clock.ts';

const TELL_EVERY_MS = 5_000;
const MINUTE_MS = 60_000;
/** Calls for an account: its balance, its newest page, the end of its list, and its oldest transaction. */
const CALLS_EACH = 3;
/** Calls for a transaction: a page and one that is fetched, for a thousand. */
const CALLS_PER_BOOKED = 0.002;

/** Says every few seconds how far the comparison with a node is, and for about how much longer it takes. */
export function sayProgress(node: string, isEach: boolean, say: (line: string) => void) {
  const startedMs = elapsedMs();
  let toldMs = startedMs;
  let first: number | undefined;
  return (progress: ReconcileProgress): void => {
    const nowMs = elapsedMs();
    const done = callsOf(progress, isEach);
    // Work of an earlier run takes no time.
    first ??= done;
    const isEnd = progress.accountsDone + progress.refundsDone === progress.accounts + progress.refunds;
    if (nowMs - toldMs < TELL_EVERY_MS && !isEnd) return;
    toldMs = nowMs;
    const { accounts, refunds, booked, ...soFar } = progress;
    const whole = { accountsDone: accounts, refundsDone: refunds, transactions: booked };
    const leftMs = ((nowMs - startedMs) / (done - first)) * (callsOf(whole, isEach) - done);
    const counts = [
      `${soFar.accountsDone} of ${accounts} accounts`,
      ...(refunds > 0 ? [`${soFar.refundsDone} of ${refunds} refunds`] : []),
      `${soFar.transactions} of about ${Math.max(booked, soFar.transactions)} transactions`,
      ...(isEnd || !(leftMs > 0 && leftMs < Number.POSITIVE_INFINITY)
        ? []
        : [`about ${inWords(leftMs)} left`]),
    ];
    say(`  ${node}: ${counts.join(', ')}`);
  };
}

type SoFar = Pick<ReconcileProgress, 'accountsDone' | 'refundsDone' | 'transactions'>;

function callsOf({ accountsDone, refundsDone, transactions }: SoFar, isEach: boolean): number {
  return (accountsDone + refundsDone) * CALLS_EACH + transactions * (isEach ? 1 : CALLS_PER_BOOKED);
}

function inWords(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

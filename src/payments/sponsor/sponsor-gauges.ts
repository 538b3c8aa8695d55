import type { Database } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import { emailWhenLow } from './email-when-low.ts';
import { readSponsorState } from './read-sponsor-state.ts';
import type { ReasonOff, Sponsor } from './sponsor.ts';

interface GaugeParts {
  db: Database;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  sponsor: Sponsor;
}

/**
 * Gauges of the fee payer's balance and spending. The returned function updates them, warns once when fees are no
 * longer paid, and sends an e-mail before that.
 */
export function sponsorGauges({ db, clock, log, metrics, sponsor }: GaugeParts): () => Promise<void> {
  // Not a number: not known yet. A process that has just started does not call for anybody.
  let [balance, spent, left] = [Number.NaN, 0, Number.NaN];
  let known: ReasonOff | null = null;
  metrics.gauge('florin_sponsor_balance_lamports', 'What the fee sponsor holds.', () => balance);
  metrics.gauge(
    'florin_sponsor_spent_today_lamports',
    'What the fee sponsor has spent on this UTC day.',
    () => spent,
  );
  metrics.gauge(
    'florin_sponsor_budget_left_lamports',
    'What the fee sponsor can still spend on this UTC day, by its limit and by what it holds.',
    () => left,
  );
  return async () => {
    const { reasonOff, balanceLamports, spentTodayLamports } = await readSponsorState(
      db,
      { ...sponsor, balance: sponsor.shownBalance },
      clock.now(),
    );
    if (balanceLamports !== null) {
      balance = Number(balanceLamports);
      await emailWhenLow(db, sponsor, balanceLamports, clock.now());
    }
    spent = Number(spentTodayLamports);
    left = Math.max(
      0,
      Math.min(Number(sponsor.limitLamportsPerDay) - spent, balance - Number(sponsor.minLamports)),
    );
    if (reasonOff !== null && reasonOff !== known)
      log.warn(
        { reason: reasonOff, address: sponsor.feePayer.address },
        'network fees are no longer paid for payers',
      );
    known = reasonOff;
  };
}

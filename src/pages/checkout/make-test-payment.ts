import type { Intent } from '../../intents/intent.ts';
import { receivedCents } from '../../intents/intent.ts';
import { findReservedAmount } from '../../payments/reserved-amounts/reserve-amount.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { ClockMover } from '../../sandbox/move-clock.ts';
import { type Outcome, payIntent } from '../../sandbox/pay-intent.ts';
import type { TestWallet } from '../../sandbox/test-wallet.ts';

export const TEST_PAYMENTS = [
  'exact',
  'less',
  'more',
  'twice',
  'late',
  'no_reference',
  'reserved_amount',
  'fail',
  'wrong_mint',
] as const;
export type TestPayment = (typeof TEST_PAYMENTS)[number];

export interface TestPaymentParts {
  db: Database;
  clock: Clock;
  trial: { wallet: TestWallet | undefined; mover: ClockMover };
}

/**
 * Pays as the page's test wallet does: every way a customer's payment can go, on the sandbox chain. Late is after the
 * deadline; for a manual invoice, which can be paid for years, late is after its due date.
 */
export async function makeTestPayment(
  parts: TestPaymentParts,
  intent: Intent,
  kind: TestPayment,
  deadline = intent.expiresAt,
): Promise<void> {
  const { db, clock, trial } = parts;
  const { wallet, mover } = trial;
  if (!wallet) throw new AppError('INVALID_STATE');
  const due = intent.expectedAmountCents - receivedCents(intent);
  const { merchantId, id: paymentIntentId } = intent;
  const pay = (amountCents: bigint, outcome: Outcome = 'pay') =>
    payIntent(db, wallet, { merchantId, paymentIntentId, amountCents, outcome }, clock.now());
  switch (kind) {
    case 'less':
      await pay(due > 1n ? due / 2n : 1n);
      break;
    case 'more':
      await pay(due + 100n);
      break;
    case 'twice':
      await pay(due);
      await pay(due);
      break;
    case 'late':
      await mover.move((now) => new Date(Math.max(+now, +deadline + AFTER_DEADLINE_MS)));
      await pay(due);
      break;
    case 'exact':
      await pay(due);
      break;
    case 'reserved_amount':
      await payReserved(db, wallet, intent, clock.now());
      break;
    default:
      await pay(due, kind);
  }
}

/** As an exchange does: the amount alone says what it is for. */
async function payReserved(db: Database, wallet: TestWallet, intent: Intent, now: Date): Promise<void> {
  const amountBaseUnits = await findReservedAmount(db, intent);
  if (amountBaseUnits === undefined)
    throw new AppError('INVALID_STATE', { message: 'No amount is reserved for this payment.' });
  const { merchantId, id: paymentIntentId } = intent;
  await payIntent(db, wallet, { merchantId, paymentIntentId, amountBaseUnits, outcome: 'no_reference' }, now);
}

const AFTER_DEADLINE_MS = 60_000;

import { randomInt } from 'node:crypto';
import { findAddress } from '../../accounts/payouts/queries.ts';
import { isOffCurve } from '../../chain/solana/off-curve.ts';
import { dueBaseUnits, type Intent, isWaiting, whyNotPayable } from '../../intents/intent.ts';
import { paymentInProgress } from '../../intents/payment-in-progress.ts';
import { findIntentAnywhere, hasPaymentUnderWay, lockIntent } from '../../intents/queries.ts';
import type { Database, Queryable, Tx } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { chooseAmount, fits, rangeOf } from './choose-amount.ts';
import { MAX_EXCHANGE_FEE } from './exchange-fee.ts';
import {
  hasFeeApart,
  insertAmount,
  isRestOfAnother,
  listAmountsOf,
  listUnavailableAmounts,
} from './queries.ts';
import type { CountReservation } from './reservation-limit.ts';
import type { ReservedAmount } from './table.ts';

export interface ReserveParts {
  db: Database;
  clock: Clock;
  countReservation: CountReservation;
}

const MAX_U64 = 2n ** 64n - 1n;
/** Each price that an intent has had may have got one: a tip that comes and goes must not use up more. */
const MAX_OF_INTENT = 10;

/**
 * Reserves an amount for an intent at its address: all that is due and less than a cent more, which no other order has or lacks
 * there, and none gets until this one has ended and its quarantine is over. The same intent gets the same amount for as long as it is due.
 */
export async function reserveAmount(
  { db, clock, countReservation }: ReserveParts,
  id: string,
  ip: string,
): Promise<{ intent: Intent; baseUnits: BaseUnits }> {
  const found = await findIntentAnywhere(db, id);
  if (!found) throw new AppError('NOT_FOUND');
  return db.transaction(async (tx) => {
    const intent = (await lockIntent(tx, found))!;
    const now = clock.now();
    await requireReservable(tx, intent, now);
    const amounts = await listAmountsOf(tx, intent);
    const kept = amountThatFits(amounts, intent);
    if (kept !== undefined) return { intent, baseUnits: kept };
    if (amounts.length >= MAX_OF_INTENT)
      throw new AppError('INVALID_STATE', {
        message: 'The amount due has changed too often to reserve another. Pay in another way.',
      });
    countReservation(ip);
    return { intent, baseUnits: await takeFree(tx, intent, now) };
  });
}

/** The amount that is reserved for what is due on an intent now. */
export async function findReservedAmount(db: Queryable, intent: Intent): Promise<BaseUnits | undefined> {
  return amountThatFits(await listAmountsOf(db, intent), intent);
}

function amountThatFits(amounts: readonly ReservedAmount[], intent: Intent): BaseUnits | undefined {
  const due = dueBaseUnits(intent);
  return amounts.find(({ baseUnits }) => fits(baseUnits, due))?.baseUnits;
}

/** False where exchanges do not send to, or where what another merchant has reserved cannot be known for good. */
export async function mayReserve(db: Queryable, intent: Intent): Promise<boolean> {
  return (await whyUnfit(db, intent)) === undefined;
}

async function requireReservable(tx: Tx, intent: Intent, now: Date): Promise<void> {
  if (!isWaiting(intent, now)) throw new AppError('INVALID_STATE', { message: whyNotPayable(intent) });
  if (await hasPaymentUnderWay(tx, intent))
    throw paymentInProgress('A payment for this is on its way. Wait until it has arrived.');
  const reason = await whyUnfit(tx, intent);
  if (reason !== undefined) throw new AppError('INVALID_STATE', { message: reason });
}

async function whyUnfit(db: Queryable, intent: Intent): Promise<string | undefined> {
  const { merchantId, destinationAddress } = intent;
  if (rangeOf(dueBaseUnits(intent)).to > MAX_U64) return 'This amount is too large for one token transfer.';
  if (isOffCurve(destinationAddress))
    return 'This seller is paid at a vault, which exchanges do not send to. Pay in another way.';
  // The shop that shares a wallet may move away with what it has reserved, and go on where nobody sees it.
  const held = await findAddress(db, merchantId, destinationAddress);
  if (!held || held.isShared)
    return 'This seller shares its payout address, so an amount alone cannot say whom it is for. Pay in another way.';
  return undefined;
}

async function takeFree(tx: Tx, intent: Intent, now: Date): Promise<BaseUnits> {
  const { merchantId, id: intentId, destinationAddress: destination } = intent;
  const due = dueBaseUnits(intent);
  const taken = new Set<BaseUnits>();
  for (let attempt = 1; ; attempt++) {
    const baseUnits = chooseAmount(due, taken, randomInt);
    if (baseUnits === undefined)
      throw new AppError('INVALID_STATE', {
        message: 'Every amount for this price is reserved right now. Pay in another way.',
      });
    const isChoosy = attempt <= CHOOSY_ATTEMPTS;
    const isBad =
      (isChoosy && (await hasFeeApart(tx, destination, baseUnits, MAX_EXCHANGE_FEE))) ||
      (await isRestOfAnother(tx, intent, baseUnits));
    const amount = { merchantId, intentId, destination, baseUnits, reservedAt: now };
    if (!isBad && (await insertAmount(tx, amount))) return baseUnits;
    if (!isChoosy) taken.add(baseUnits);
    // Thousands may be taken, so they are read only where hardly any is left.
    if (attempt > BLIND_ATTEMPTS)
      for (const each of await listUnavailableAmounts(tx, destination, rangeOf(due))) taken.add(each);
  }
}

/** So often an amount is looked for that no other one becomes by a fee; then any free one is good. */
const CHOOSY_ATTEMPTS = 8;
const BLIND_ATTEMPTS = 2 * CHOOSY_ATTEMPTS;

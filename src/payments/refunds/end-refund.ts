import { restoreGivenCredit } from '../../billing/renewals/given-credit.ts';
import { markRefunding } from '../../intents/mark-refunding.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { eachAlone } from '../../platform/set-aside/each-alone.ts';
import { isUndecided } from '../transfers/exception.ts';
import { releaseFromRefund } from '../transfers/refund-exception.ts';
import { sumReservedOfIntent } from '../transfers/refund-queries.ts';
import { bookRefund } from './book-refund.ts';
import { changeRefund } from './change-refund.ts';
import { listExcess } from './list-excess.ts';
import {
  findOpenRefundOfException,
  findRefund,
  listRefundsToExpire,
  lockRefund,
  REFUNDS_TO_EXPIRE,
} from './queries.ts';
import { creditReasonOf, type Refund, sentCents } from './refund.ts';
import { lockSource, type Source } from './refundable.ts';

export interface End {
  merchantId: string;
  id: string;
  mint: string;
  now: Date;
}

/** Gives a refund up before it is sent. The part that was already sent stays refunded; only the rest is canceled. */
export async function cancelRefund(tx: Tx, input: End & { actor: string }): Promise<Refund> {
  const { merchantId, id, actor, now } = input;
  const found = await findRefund(tx, input);
  if (!found) throw new AppError('NOT_FOUND');
  const source = await lockSource(tx, merchantId, found);
  const before = (await lockRefund(tx, input))!;
  if (before.status === 'processing')
    throw new AppError('INVALID_STATE', { message: 'This refund has been sent; it is not final yet.' });
  if (before.status !== 'awaiting_address' && before.status !== 'ready')
    throw new AppError('INVALID_STATE', { message: `This refund is ${before.status} already.` });
  await recordAudit(tx, { merchantId, actor, action: 'refund.canceled', targetId: id, now });
  return end(tx, before, source, 'canceled', input);
}

const BATCH = 100;

/** Ends those that nobody has sent within their time. Answers how many. */
export function expireDueRefunds(db: Database, mint: string, now: Date, log?: Logger): Promise<number> {
  return eachAlone({ db, log }, REFUNDS_TO_EXPIRE, now, async (alone) => {
    let count = 0;
    for (const ref of await listRefundsToExpire(db, now, BATCH))
      if (await alone(ref, () => db.transaction((tx) => expire(tx, { ...ref, mint, now })))) count++;
    return count;
  });
}

async function expire(tx: Tx, input: End): Promise<true> {
  const source = await lockSource(tx, input.merchantId, (await findRefund(tx, input))!);
  const before = (await lockRefund(tx, input))!;
  const isDue =
    (before.status === 'awaiting_address' || before.status === 'ready') && before.expiresAt <= input.now;
  if (isDue) await end(tx, before, source, 'expired', input);
  return true;
}

async function end(
  tx: Tx,
  before: Refund,
  source: Source,
  status: 'canceled' | 'expired',
  { mint, now }: End,
): Promise<Refund> {
  const sent = sentCents(before);
  await returnCredit(tx, before, before.amountCents - sent, now);
  if (sent > 0n) {
    const booked = await bookRefund(tx, {
      before,
      after: { ...before, amountCents: sent },
      ...{ source, mint, now },
    });
    await listExcess(tx, booked, { mint, now });
    return booked;
  }
  const canceledAt = status === 'canceled' ? now : null;
  const ended = await changeRefund(tx, {
    before,
    after: { ...before, status, canceledAt },
    event: `refund.${status}`,
    mint,
    now,
  });
  await listExcess(tx, ended, { mint, now });
  const { exception, intent } = source;
  if (intent)
    await markRefunding(
      tx,
      intent,
      (await sumReservedOfIntent(tx, intent.merchantId, intent.id, before.id)) > 0n,
    );
  if (exception && isUndecided(exception)) {
    const otherRefundId = await findOpenRefundOfException(tx, before.merchantId, exception.id);
    await releaseFromRefund(tx, exception, { otherRefundId, now });
  }
  return ended;
}

/** Returns to the customer, as account credit, the part of the unsent amount that was taken from their credit. */
async function returnCredit(tx: Tx, refund: Refund, cents: Cents, now: Date): Promise<void> {
  const { merchantId, customerId } = refund;
  if (customerId === null || cents <= 0n) return;
  await restoreGivenCredit(tx, { merchantId, customerId }, { cents, reason: creditReasonOf(refund), now });
}

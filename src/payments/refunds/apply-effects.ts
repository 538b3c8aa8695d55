import { findInvoice } from '../../billing/invoices/queries.ts';
import { lockAccounts } from '../../billing/ledger/lock-accounts.ts';
import { findTopUpPosting } from '../../billing/ledger/queries.ts';
import { cancelSubscription } from '../../billing/renewals/cancel-subscription.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { addMinutes } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { findRefund, listRefundsWithEffects, lockRefund } from './queries.ts';
import { type Refund, refundNumber, refunds } from './refund.ts';
import { sumRevoking } from './sum-queries.ts';

const BATCH = 50;
const AGAIN_MINUTES = 5;

/**
 * Applies the other effects of refunds that have succeeded: cancels the subscription, takes back the credits.
 * Separate from proving the refund, so that no error here keeps it from being booked. Returns how many were due.
 */
export async function applyDueEffects(db: Database, log: Logger, now: Date): Promise<number> {
  const due = await listRefundsWithEffects(db, now, BATCH);
  for (const ref of due) {
    try {
      await applyEffects(db, ref, now);
    } catch (error) {
      log.warn({ refund: ref.id, err: error }, 'effects of a refund failed; retrying');
      await refunds.update(db, ref, { effectsDueAt: addMinutes(now, AGAIN_MINUTES) });
    }
  }
  return due.length;
}

async function applyEffects(db: Database, ref: Ref, now: Date): Promise<void> {
  const refund = (await findRefund(db, ref))!;
  if (refund.cancelSubscription) await endSubscription(db, refund, now);
  await db.transaction(async (tx) => {
    const locked = (await lockRefund(tx, ref))!;
    if (locked.effectsDueAt === null) return;
    if (locked.revokeCredits) await revokeCredits(tx, locked, now);
    await refunds.update(tx, ref, { effectsDueAt: null });
  });
}

/** One that has ended already is what was wanted. */
async function endSubscription(db: Database, { merchantId, invoiceId }: Refund, now: Date): Promise<void> {
  const invoice = invoiceId && (await findInvoice(db, { merchantId, id: invoiceId }));
  const id = invoice ? invoice.subscriptionId : null;
  if (id === null) return;
  await db
    .transaction((tx) => cancelSubscription(tx, { merchantId, id }, { atPeriodEnd: false, now }))
    .catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'INVALID_STATE') throw error;
    });
}

/**
 * Revokes credits in proportion to all that was sent back of the invoice, so that many small refunds revoke as much
 * as one, and never more than the customer still has.
 */
async function revokeCredits(tx: Tx, refund: Refund, now: Date): Promise<void> {
  const { merchantId, invoiceId } = refund;
  const bought = invoiceId && (await findTopUpPosting(tx, merchantId, invoiceId));
  if (!bought) return;
  const { customerId, deltaCredits } = bought;
  const invoice = (await findInvoice(tx, { merchantId, id: bought.invoiceId! }))!;
  const paid = invoice.amountPaidCents > 0n ? invoice.amountPaidCents : invoice.totalCents;
  const accounts = await lockAccounts(tx, [bought]);
  const { credits } = accounts.balanceOf(bought)!;
  const before = await sumRevoking(tx, refund);
  const creditsOf = (cents: bigint) => (deltaCredits * (cents < paid ? cents : paid)) / paid;
  const share = creditsOf(before + refund.amountCents) - creditsOf(before);
  const revoked = share < credits ? share : credits;
  if (revoked === 0n) return;
  accounts.post({
    ...{ merchantId, customerId, invoiceId, now },
    deltaCredits: -revoked,
    counterAccount: 'refund',
    reason: `refund ${refundNumber(refund.number)}`,
  });
  await accounts.write(tx, now);
}

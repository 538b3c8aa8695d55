import { announceCustomer } from '../../accounts/customers/announce-customers.ts';
import type { Customer } from '../../accounts/customers/customer.ts';
import { alreadyMerged } from '../../accounts/customers/merge-customers.ts';
import { listMerged, lockCustomerForErasure } from '../../accounts/customers/queries.ts';
import { lockAccounts } from '../../billing/ledger/lock-accounts.ts';
import { post } from '../../billing/ledger/post.ts';
import type { Balance } from '../../billing/ledger/posting.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { CustomerRef } from '../../platform/lib/ref.ts';
import { closeCheckouts, openInvoice, paymentUnderWay } from './close-checkouts.ts';
import { customerErasures, type Erasure, newErasure } from './erasure.ts';
import { overwriteCustomer } from './overwrite-queries.ts';
import { findErasure, findUnderWay } from './queries.ts';

export interface EraseCustomer extends CustomerRef {
  actor: string;
  /** Forfeits the customer's remaining credit, which is otherwise a reason to refuse. */
  discardBalance: boolean;
  now: Date;
}

/**
 * Deletes a customer: from this moment they are found nowhere and can do nothing, and what was recorded of them is
 * overwritten by the job. Refused while money, a subscription or an invoice is under way. Deleting again is the same.
 */
export async function eraseCustomer(tx: Tx, input: EraseCustomer): Promise<Erasure> {
  const { merchantId, customerId: id } = input;
  const before = await findErasure(tx, input);
  if (before) return before;
  const erasure = await eraseId(tx, input, null);
  // The person is forgotten under each of their ids; the customer is locked, so there are no more.
  for (const merged of await listMerged(tx, { merchantId, id }))
    await eraseId(tx, { ...input, customerId: merged.id }, id);
  return erasure;
}

async function eraseId(tx: Tx, input: EraseCustomer, mergedIntoId: string | null): Promise<Erasure> {
  const { merchantId, customerId, actor, discardBalance, now } = input;
  // Checkouts before the customer, as a payment locks them; once more below for what was opened meanwhile.
  await requireNothingUnderWay(tx, input);
  await closeCheckouts(tx, input, now);
  const customer = await lockCustomerForErasure(tx, merchantId, customerId);
  if (!customer) return requireErasure(tx, input);
  if (customer.mergedIntoId !== mergedIntoId) throw alreadyMerged(customer);
  await requireNothingUnderWay(tx, input);
  await closeCheckouts(tx, input, now);
  const { credits, cents } = await giveUpBalance(tx, customer, discardBalance, now);
  await announceCustomer(tx, 'customer.deleted', customer, now);
  await overwriteCustomer(tx, input, now);
  const { projectId } = customer;
  const erasure = newErasure({
    merchantId,
    customerId,
    projectId,
    discardedCredits: credits,
    discardedCents: cents,
    createdAt: now,
    advancedAt: realNow(),
  });
  await customerErasures.insert(tx, erasure);
  const detail = { discardedCredits: credits, discardedCents: cents };
  await recordAudit(tx, { merchantId, actor, action: 'customer.deleted', targetId: customerId, detail, now });
  return erasure;
}

/** Another request was faster, or there is no such customer. */
async function requireErasure(tx: Tx, ref: CustomerRef): Promise<Erasure> {
  const erasure = await findErasure(tx, ref);
  if (!erasure) throw new AppError('NOT_FOUND');
  return erasure;
}

async function requireNothingUnderWay(tx: Tx, ref: CustomerRef): Promise<void> {
  const { hasSubscription, hasOpenInvoice, hasPayment, hasRefund } = await findUnderWay(tx, ref);
  if (hasSubscription)
    throw refusal('This customer has a subscription that has not ended; cancel it immediately first.');
  if (hasPayment) throw paymentUnderWay();
  if (hasRefund) throw refusal('A refund to this customer is under way; complete it or cancel it first.');
  if (hasOpenInvoice) throw openInvoice();
}

/** Remaining credit is worth money to the customer: it is forfeited only on request. */
async function giveUpBalance(
  tx: Tx,
  { merchantId, id: customerId }: Customer,
  discardBalance: boolean,
  now: Date,
): Promise<Balance> {
  const accounts = await lockAccounts(tx, [{ merchantId, customerId }]);
  const balance = accounts.balanceOf({ merchantId, customerId }) ?? { credits: 0n, cents: 0n };
  const { credits, cents } = balance;
  if (credits === 0n && cents === 0n) return balance;
  if (!discardBalance)
    throw refusal(
      `This customer still has ${credits} credits and ${cents} cents of account credit; send discardBalance=true to give them up.`,
    );
  const posting = { merchantId, customerId, counterAccount: 'adjustment', now } as const;
  if (credits > 0n) await post(tx, { ...posting, deltaCredits: -credits });
  if (cents > 0n) await post(tx, { ...posting, deltaCents: -cents });
  return balance;
}

function refusal(message: string): AppError {
  return new AppError('INVALID_STATE', { message });
}

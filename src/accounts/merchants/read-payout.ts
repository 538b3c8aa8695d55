import { isOffCurve } from '../../chain/solana/off-curve.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { Flag, Int32, Nullable, Shape, Text, Timestamp } from '../../platform/http/schema.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { PendingChangeView, presentPending } from '../payouts/pending-change.ts';
import { listPending } from '../payouts/pending-queries.ts';
import { findAddress } from '../payouts/queries.ts';
import { findMerchant } from './queries.ts';

export const PayoutView = Shape('PayoutAddress', {
  payoutAddress: Nullable(Text({ description: 'Where payments arrive; null: nobody can pay yet.' })),
  isOffCurve: Flag('No private key exists for it: the vault of a multisig, or another address of a program.'),
  verifiedAt: Nullable(Timestamp('When you last proved by signature that the wallet is yours.')),
  isShared: Flag('Another merchant used it before you did, and owns what arrives without a payment intent.'),
  payoutChangeDelayHours: Int32({
    description: 'How long a change of a payout address, the merchant’s or a project’s, is delayed.',
  }),
  pendingChange: Nullable(PendingChangeView),
  pendingDelayChange: Nullable(PendingChangeView),
});

/** The merchant's own address, if there is one, and how long changes are delayed. */
export async function readPayoutRules(db: Queryable, merchantId: string) {
  const merchant = await findMerchant(db, merchantId);
  if (!merchant) throw new AppError('NOT_FOUND');
  const { payoutAddress, payoutChangeDelayHours } = merchant;
  return { payoutAddress, payoutChangeDelayHours };
}

/** The merchant’s own payout address and what is known of it. */
export async function readPayout(db: Queryable, merchantId: string) {
  const { payoutAddress, payoutChangeDelayHours } = await readPayoutRules(db, merchantId);
  const held = payoutAddress === null ? undefined : await findAddress(db, merchantId, payoutAddress);
  const pending = (await listPending(db, merchantId)).filter(({ projectId }) => projectId === null);
  return {
    payoutAddress,
    isOffCurve: payoutAddress !== null && isOffCurve(payoutAddress),
    verifiedAt: held?.verifiedAt ?? null,
    isShared: held?.isShared ?? false,
    payoutChangeDelayHours,
    pendingChange: presentPending(pending.find(({ kind }) => kind === 'address')),
    pendingDelayChange: presentPending(pending.find(({ kind }) => kind === 'delay')),
  };
}

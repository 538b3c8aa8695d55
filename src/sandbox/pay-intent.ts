import { networkUnavailable } from '../chain/solana/network-unavailable.ts';
import { dueBaseUnits } from '../intents/intent.ts';
import { findIntentAnywhere } from '../intents/queries.ts';
import { requestReferenceCheck } from '../intents/reference-checks.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError, badField } from '../platform/lib/errors.ts';
import { type BaseUnits, type Cents, centsToBaseUnits } from '../platform/lib/money.ts';
import type { TestWallet } from './test-wallet.ts';

export const OUTCOMES = ['pay', 'fail', 'wrong_mint', 'no_reference'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface PayIntent {
  merchantId: string;
  paymentIntentId: string;
  amountCents?: Cents | undefined;
  /** Exact to the base unit, in place of cents. */
  amountBaseUnits?: BaseUnits | undefined;
  outcome?: Outcome | undefined;
}

const MAX_U64 = 2n ** 64n - 1n;

/** Pays an intent from a test wallet on the sandbox chain; the watcher finds it like any other payment. */
export async function payIntent(
  db: Database,
  wallet: TestWallet,
  input: PayIntent,
  now: Date,
): Promise<string> {
  const intent = await findIntentAnywhere(db, input.paymentIntentId.toLowerCase());
  if (!intent || intent.merchantId !== input.merchantId)
    throw badField('paymentIntentId', 'must be the id of one of your intents');
  const { outcome = 'pay' } = input;
  const due = dueBaseUnits(intent);
  const asked = input.amountCents === undefined ? due : centsToBaseUnits(input.amountCents);
  const amountBaseUnits = input.amountBaseUnits ?? asked;
  if (amountBaseUnits <= 0n)
    throw new AppError('INVALID_STATE', { message: 'Nothing is due; send amountCents to pay more.' });
  if (amountBaseUnits > MAX_U64) throw badField('amountCents', 'is too large for one token transfer');
  const paid = wallet.pay({
    destination: intent.destinationAddress,
    amountBaseUnits,
    reference: outcome === 'no_reference' ? null : intent.referenceAddress,
    // An exchange writes its own, if any: an exact amount has to do alone.
    memo: input.amountBaseUnits === undefined ? intent.referenceAddress : 'Withdrawal',
    from: 'customer',
    kind: outcome === 'wrong_mint' ? 'wrong_mint' : outcome === 'fail' ? 'broke' : 'normal',
  });
  const signature = await paid.catch(refuseOverflow);
  // Another token never touches the watched account: only a check by reference finds it.
  if (outcome === 'wrong_mint') await requestReferenceCheck(db, intent, now);
  return signature;
}

/** The supply of one token fits into 64 bits, or the token program fails with Overflow. */
function refuseOverflow(error: Error): never {
  if (/custom program error: 0xe\b/.test(error.message))
    throw badField('amountCents', 'exceeds the test money the sandbox chain can still issue');
  networkUnavailable(error);
}

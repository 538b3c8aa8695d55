import { shrinkTip } from '../../billing/checkout-sessions/shrink-tip.ts';
import { type Attribution, attribute } from '../../chain/solana/attribute.ts';
import {
  balancesAround,
  type Destination,
  measureReceived,
  movedTokens,
  otherTokensReceived,
} from '../../chain/solana/measure.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import { type Intent, isCanceled, isOlderThan, isPayableAt } from '../../intents/intent.ts';
import { lockIntent, lockIntentsById } from '../../intents/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { applyMoney } from './apply-money.ts';
import { upsertAllocations, upsertTransfers } from './batch-queries.ts';
import type { ExceptionKind } from './exception.ts';
import { lockNamedIntents, originOf } from './named-intents.ts';
import { type Credit, deletePendingAllocations, listAllocationsOf } from './queries.ts';
import { raiseException, raiseForPaid } from './raise-exception.ts';

export interface SettleTransfer {
  transaction: LandedTransaction;
  destination: Destination;
  /** Owner of the exception when no intent is named. */
  merchantId: string;
  isFinal: boolean;
  now: Date;
}

/**
 * One transaction that landed, measured and credited: intents, credits, exceptions and events, all or
 * nothing. It may be called any number of times, with confirmed before final or not: money counts once.
 */
export async function settleTransfer(tx: Tx, input: SettleTransfer): Promise<void> {
  const { transaction, destination, isFinal, now } = input;
  const { signature, slot, blockTime, hasFailed } = transaction;
  const received = measureReceived(transaction, destination);
  const transfer = {
    signature,
    destination: destination.owner,
    slot,
    blockTime,
    receivedBaseUnits: received,
    ...balancesAround(transaction, destination),
    hasFailed,
    isFinal,
  };
  const open = await upsertTransfers(tx, [transfer], now);
  if (!open.has(signature, destination.owner)) return;

  const { intents: named, sponsored } = await lockNamedIntents(tx, transaction, destination, received);
  const payable = named.filter((intent) => isPayableAt(intent, blockTime) && !isOlderThan(intent, blockTime));
  const before = await listAllocationsOf(tx, signature, destination.owner);
  const { shares, rest } = shareOut(input, received, payable, before);
  const eligible = isFinal ? await withPaidTips(tx, payable, shares, now) : payable;
  // A paid intent keeps its amount: later money is not added.
  const unpaid = eligible.filter(({ status }) => status !== 'succeeded');

  const current = new Map(eligible.map((intent) => [intent.id, intent]));
  for (const [i, read] of (await replaceCredits(tx, input, { unpaid, shares, before })).entries()) {
    // A purchase paid just before may have withdrawn this one, as a renewal does with a plan change.
    const intent = i === 0 ? read : (await lockIntent(tx, read))!;
    const origin = originOf(transaction, destination, intent, sponsored);
    current.set(intent.id, await applyMoney(tx, intent, { signature, origin, paidAt: blockTime, now }));
  }
  if (!isFinal) return;
  const isFailure = hasFailed || (received === 0n && movedTokens(transaction));
  if (isFailure)
    await noteFailure(
      tx,
      eligible.map((intent) => current.get(intent.id)!),
      input,
    );
  await raiseExceptions(tx, input, { named, eligible, shares, rest });
}

/**
 * Whom the money is for. Until it is final it is shared out again and again, but what an intent was given is not taken from
 * it for one that was written later: its payer may have been told that it is paid.
 */
function shareOut(
  { transaction, destination }: SettleTransfer,
  received: BaseUnits,
  payable: readonly Intent[],
  before: readonly Credit[],
): Attribution {
  const attributed = attribute(transaction, destination.account, received, payable);
  const given = new Map(before.map(({ intentId, baseUnits }) => [intentId, baseUnits]));
  const first = payable.filter(({ id }) => given.has(id));
  const isTaken = first.some(({ id }) => (attributed.shares.get(id) ?? 0n) < given.get(id)!);
  return isTaken ? attribute(transaction, destination.account, received, first) : attributed;
}

async function withPaidTips(
  tx: Tx,
  intents: readonly Intent[],
  shares: Map<string, BaseUnits>,
  now: Date,
): Promise<Intent[]> {
  const shrunk: Intent[] = [];
  for (const intent of intents)
    shrunk.push(await shrinkTip(tx, intent, intent.receivedBaseUnits + (shares.get(intent.id) ?? 0n), now));
  return shrunk;
}

interface Credits {
  unpaid: readonly Intent[];
  shares: Map<string, BaseUnits>;
  before: readonly Credit[];
}

/** Replaces this transaction's allocations by what it brings now: a dropped part is reverted, a final one stays. */
async function replaceCredits(
  tx: Tx,
  { transaction, destination, isFinal, now }: SettleTransfer,
  { unpaid, shares, before }: Credits,
): Promise<Intent[]> {
  const { signature } = transaction;
  await deletePendingAllocations(tx, signature, destination.owner);
  for (const { merchantId, id: intentId } of unpaid) {
    const baseUnits = shares.get(intentId) ?? 0n;
    if (baseUnits === 0n) continue;
    const credit = { merchantId, intentId, signature, destination: destination.owner, baseUnits, isFinal };
    await upsertAllocations(tx, [credit], now);
  }
  const already = new Set(unpaid.map((intent) => intent.id));
  const others = before.filter((credit) => !already.has(credit.intentId));
  const dropped = await lockIntentsById(
    tx,
    others.map(({ merchantId, intentId }) => ({ merchantId, id: intentId })),
  );
  return [
    ...unpaid.filter(
      (intent) => shares.has(intent.id) || before.some((credit) => credit.intentId === intent.id),
    ),
    ...dropped,
  ];
}

/** A payment that failed, or went elsewhere, is reported on the intent it references, which can still be paid. */
async function noteFailure(
  tx: Tx,
  intents: readonly Intent[],
  { transaction, now }: SettleTransfer,
): Promise<void> {
  for (const intent of intents) {
    if (intent.status === 'pending')
      await applyMoney(
        tx,
        { ...intent, statusWithoutPayment: 'failed' },
        { signature: transaction.signature, paidAt: transaction.blockTime, now },
      );
  }
}

interface Outcome {
  named: readonly Intent[];
  eligible: readonly Intent[];
  shares: Map<string, BaseUnits>;
  rest: BaseUnits;
}

async function raiseExceptions(
  tx: Tx,
  input: SettleTransfer,
  { named, eligible, shares, rest }: Outcome,
): Promise<void> {
  const { transaction, destination } = input;
  const source = {
    signature: transaction.signature,
    destination: destination.owner,
    mint: destination.mint,
    merchantId: input.merchantId,
    now: input.now,
  };
  const refused = named.find(({ id }) => !eligible.some((intent) => intent.id === id));
  if (rest > 0n) {
    const kind = whyUnattributed(refused, eligible, transaction);
    const owner = kind === 'ambiguous' || kind === 'unmatched' ? undefined : refused!;
    await raiseException(tx, source, kind, rest, owner);
  }
  for (const [mint, { baseUnits, decimals }] of otherTokensReceived(transaction, destination)) {
    // Other tokens are the merchant's own business, unless the payment names one of our intents.
    if (named.length > 0)
      await raiseException(tx, { ...source, mint, decimals }, 'wrong_mint', baseUnits, named[0]);
  }
  for (const intent of eligible) {
    const share = shares.get(intent.id);
    if (share) await raiseForPaid(tx, source, intent, share);
  }
}

/** Returns the reason why no intent takes it. A paid intent stays paid, long after it could have been paid. */
function whyUnattributed(
  refused: Intent | undefined,
  eligible: readonly Intent[],
  { blockTime }: LandedTransaction,
): ExceptionKind {
  if (eligible.length > 1) return 'ambiguous';
  if (!refused || isOlderThan(refused, blockTime)) return 'unmatched';
  if (refused.status === 'succeeded') return 'surplus';
  return isCanceled(refused) ? 'canceled' : 'late';
}

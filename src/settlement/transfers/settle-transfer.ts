import { attribute } from '../../chain/solana/attribute.ts';
import {
  balancesAround,
  type Destination,
  measureReceived,
  movedTokens,
  otherTokensReceived,
} from '../../chain/solana/measure.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import { type Intent, isOlderThan, isPayableAt } from '../../money/intents/intent.ts';
import { lockIntentsById } from '../../money/intents/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { applyMoney } from './apply-money.ts';
import { upsertAllocations, upsertTransfers } from './batch-queries.ts';
import type { ExceptionKind } from './exception.ts';
import { lockNamedIntents, originOf } from './named-intents.ts';
import { deletePendingAllocations, listAllocationsOf } from './queries.ts';
import { raiseException, raiseForPaid } from './raise-exception.ts';

export interface SettleTransfer {
  transaction: LandedTransaction;
  destination: Destination;
  /** Whose exception it is when no intent is named. */
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

  const { intents: named, sponsored } = await lockNamedIntents(tx, transaction, destination);
  const eligible = named.filter(
    (intent) => isPayableAt(intent, blockTime) && !isOlderThan(intent, blockTime),
  );
  const { shares, rest } = attribute(transaction, destination.account, received, eligible);

  const current = new Map(eligible.map((intent) => [intent.id, intent]));
  for (const intent of await replaceCredits(tx, input, eligible, shares)) {
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

/** Replaces this transaction's allocations by what it brings now: a dropped part is reverted, a final one stays. */
async function replaceCredits(
  tx: Tx,
  { transaction, destination, isFinal, now }: SettleTransfer,
  eligible: readonly Intent[],
  shares: Map<string, BaseUnits>,
): Promise<Intent[]> {
  const { signature } = transaction;
  const before = await listAllocationsOf(tx, signature, destination.owner);
  await deletePendingAllocations(tx, signature, destination.owner);
  for (const [intentId, baseUnits] of shares) {
    if (baseUnits === 0n) continue;
    const { merchantId } = eligible.find((intent) => intent.id === intentId)!;
    const credit = { merchantId, intentId, signature, destination: destination.owner, baseUnits, isFinal };
    await upsertAllocations(tx, [credit], now);
  }
  const already = new Set(eligible.map((intent) => intent.id));
  const others = before.filter((credit) => !already.has(credit.intentId));
  const dropped = await lockIntentsById(
    tx,
    others.map(({ merchantId, intentId }) => ({ merchantId, id: intentId })),
  );
  return [
    ...eligible.filter(
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
  const refused = named.find((intent) => !eligible.includes(intent));
  if (rest > 0n) {
    const kind = whyUnattributed(refused, eligible, transaction);
    const owner = kind === 'canceled' || kind === 'late' ? refused! : undefined;
    await raiseException(tx, source, kind, rest, owner);
  }
  for (const [mint, units] of otherTokensReceived(transaction, destination)) {
    // Other tokens are the merchant's own business, unless the payment names one of our intents.
    if (named.length > 0) await raiseException(tx, { ...source, mint }, 'wrong_mint', units, named[0]);
  }
  for (const intent of eligible) {
    const share = shares.get(intent.id);
    if (share) await raiseForPaid(tx, source, intent, share);
  }
}

function whyUnattributed(
  refused: Intent | undefined,
  eligible: readonly Intent[],
  { blockTime }: LandedTransaction,
): ExceptionKind {
  if (eligible.length > 1) return 'ambiguous';
  if (!refused || isOlderThan(refused, blockTime)) return 'unmatched';
  return refused.status === 'canceled' ? 'canceled' : 'late';
}

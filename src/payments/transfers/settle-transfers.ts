import { balancesAround, measureReceived, otherTokensReceived } from '../../chain/solana/measure.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import { type Intent, isOlderThan, isPayableAt, statusFromMoney } from '../../intents/intent.ts';
import { type IntentMove, storeMoves } from '../../intents/move-intents.ts';
import { listPaidAmong, lockIntentsById, lockIntentsNamed } from '../../intents/queries.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { type BaseUnits, centsToBaseUnits } from '../../platform/lib/money.ts';
import { listSponsoredAmong, type SponsoredIntent } from '../sponsor/queries.ts';
import { listAllocationsAmong, upsertAllocations, upsertTransfers } from './batch-queries.ts';
import { followIntent } from './follow-intent.ts';
import { mentionsOf, originOf } from './named-intents.ts';
import { type SettleTransfer, settleTransfer } from './settle-transfer.ts';

const MAX_AT_ONCE = 100;

export interface SettleParts {
  db: Database;
  /** Called when events were committed, so that this process's webhook workers need not wait for their next poll. */
  wakeWebhooks(): void;
}

/**
 * Settles many transfers with the same result as one by one. Nearly all of them bring one intent exactly the amount
 * due, and those share their statements; the others follow alone, in the given order. So when two intents of one
 * order are paid at the same moment, either may be the one reported as paid twice.
 */
export async function settleTransfers(
  { db, wakeWebhooks }: SettleParts,
  transfers: readonly SettleTransfer[],
): Promise<void> {
  for (let at = 0; at < transfers.length; at += MAX_AT_ONCE) {
    const slice = transfers.slice(at, at + MAX_AT_ONCE);
    let candidates = findCandidates(slice);
    while (candidates.length > 1) {
      const odd = await settleTogether(db, candidates);
      if (odd.size === 0) break;
      candidates = candidates.filter((candidate) => !odd.has(candidate));
    }
    const done = new Set(candidates.length > 1 ? candidates.map(({ transfer }) => transfer) : []);
    for (const transfer of slice)
      if (!done.has(transfer)) await db.transaction((tx) => settleTransfer(tx, transfer));
    // Someone may be standing at a till: payment events are sent immediately, everything else can wait for the poll.
    wakeWebhooks();
  }
}

interface Candidate {
  transfer: SettleTransfer;
  received: BaseUnits;
  /** True if no other transfer mentions an account. */
  isMentionedAlone(account: string): boolean;
}

/** Returns transfers that may be plain, judging by the transactions alone. */
function findCandidates(transfers: readonly SettleTransfer[]): Candidate[] {
  const nameOf = ({ transaction, destination }: SettleTransfer) =>
    `${transaction.signature} ${destination.owner}`;
  const names = countEach(transfers.map(nameOf));
  const mentions = countEach(transfers.flatMap(({ transaction }) => [...mentionsOf(transaction)]));
  return transfers.flatMap((transfer) => {
    const { transaction, destination } = transfer;
    const received = measureReceived(transaction, destination);
    const isPlain =
      received > 0n &&
      !transaction.hasFailed &&
      names.get(nameOf(transfer)) === 1 &&
      otherTokensReceived(transaction, destination).size === 0;
    // An intent that another transfer references too must get them in order.
    const mentioned = mentionsOf(transaction);
    const isMentionedAlone = (account: string) =>
      (mentions.get(account) ?? 0) === (mentioned.has(account) ? 1 : 0);
    return isPlain ? [{ transfer, received, isMentionedAlone }] : [];
  });
}

function countEach(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Thrown to undo a transaction in which not everything was as plain as it looked. */
class NotPlain extends Error {
  readonly odd: Set<Candidate>;

  constructor(odd: Set<Candidate>) {
    super('not plain');
    this.odd = odd;
  }
}

/** All of them or none; returns which ones prevented it. */
async function settleTogether(db: Database, candidates: readonly Candidate[]): Promise<Set<Candidate>> {
  try {
    await db.transaction((tx) => settlePlain(tx, candidates));
    return new Set();
  } catch (error) {
    if (error instanceof NotPlain) return error.odd;
    throw error;
  }
}

async function settlePlain(tx: Tx, candidates: readonly Candidate[]): Promise<void> {
  const { now } = candidates[0]!.transfer;
  const open = await upsertTransfers(tx, candidates.map(toTransfer), now);
  const wanted = candidates.filter(({ transfer }) =>
    open.has(transfer.transaction.signature, transfer.destination.owner),
  );
  if (wanted.length === 0) return;
  const { intents, sponsored } = await matchIntents(tx, wanted);
  await refuseOdd(tx, wanted, intents);

  await upsertAllocations(
    tx,
    wanted.map(({ transfer, received }, i) => ({
      merchantId: intents[i]!.merchantId,
      intentId: intents[i]!.id,
      signature: transfer.transaction.signature,
      destination: transfer.destination.owner,
      baseUnits: received,
      isFinal: transfer.isFinal,
    })),
    now,
  );
  const moves = wanted.flatMap((candidate, i) =>
    moveOf(candidate, intents[i]!, sponsored.get(candidate.transfer.transaction.signature)),
  );
  const paidAt = new Map(intents.map(({ id }, i) => [id, wanted[i]!.transfer.transaction.blockTime]));
  const stored = moves.length > 0 ? await storeMoves(tx, moves, now) : [];
  for (const [i, intent] of stored.entries())
    await followIntent(tx, moves[i]!.before, intent, { paidAt: paidAt.get(intent.id)!, now });
}

function toTransfer({ transfer, received }: Candidate) {
  const { transaction, destination, isFinal } = transfer;
  return {
    signature: transaction.signature,
    destination: destination.owner,
    slot: transaction.slot,
    blockTime: transaction.blockTime,
    receivedBaseUnits: received,
    ...balancesAround(transaction, destination),
    hasFailed: false,
    isFinal,
  };
}

/** The one intent of each, locked, and which of the transactions were signed here. */
async function matchIntents(tx: Tx, candidates: readonly Candidate[]) {
  const transfers = candidates.map(({ transfer: { transaction, destination } }) => ({
    signature: transaction.signature,
    destination: destination.owner,
  }));
  const sponsored = new Map(
    (await listSponsoredAmong(tx, transfers)).map((each) => [each.signature, each] as const),
  );
  const destinations = new Set(candidates.map(({ transfer }) => transfer.destination.owner));
  const accounts = new Set(candidates.flatMap(({ transfer }) => [...mentionsOf(transfer.transaction)]));
  const locked = await lockIntentsNamed(tx, [...destinations], [...accounts]);
  const byReference = new Map(locked.map((intent) => [intent.referenceAddress, intent]));
  const refs = [...sponsored.values()].map(({ merchantId, intentId }) => ({ merchantId, id: intentId }));
  const byId = new Map((await lockIntentsById(tx, refs)).map((intent) => [intent.id, intent]));
  const namedBy = (transaction: LandedTransaction) => {
    const signedFor = sponsored.get(transaction.signature);
    if (signedFor) return [byId.get(signedFor.intentId)!];
    return [...mentionsOf(transaction)].flatMap((account) => byReference.get(account) ?? []);
  };
  const named = candidates.map(({ transfer: { transaction, destination } }) =>
    namedBy(transaction).filter((intent) => intent.destinationAddress === destination.owner),
  );
  const timesNamed = countEach(named.flatMap((intents) => intents.map(({ id }) => id)));
  const odd = candidates.filter((candidate, i) => {
    const [intent, another] = named[i]!;
    return (
      !intent ||
      another ||
      timesNamed.get(intent.id) !== 1 ||
      !candidate.isMentionedAlone(intent.referenceAddress) ||
      !isPaidExactly(intent, candidate)
    );
  });
  if (odd.length > 0) throw new NotPlain(new Set(odd));
  return { intents: named.map(([intent]) => intent!), sponsored };
}

/** Exactly this amount is due on the intent, and nothing else has to be recorded. */
function isPaidExactly(intent: Intent, { transfer, received }: Candidate): boolean {
  const { blockTime } = transfer.transaction;
  return (
    intent.status !== 'succeeded' &&
    isPayableAt(intent, blockTime) &&
    !isOlderThan(intent, blockTime) &&
    intent.receivedBaseUnits + received === centsToBaseUnits(intent.expectedAmountCents)
  );
}

/** Refused: what was credited elsewhere before, and what pays an order for the second time. */
async function refuseOdd(tx: Tx, wanted: readonly Candidate[], intents: readonly Intent[]): Promise<void> {
  const credits = await listAllocationsAmong(
    tx,
    wanted.map(({ transfer }) => transfer.transaction.signature),
  );
  // If two intents share one order id, the second is settled alone, where it is known whether both belong to one
  // project.
  const orderOf = ({ merchantId, orderId }: Intent) => `${merchantId} ${orderId}`;
  const orders = countEach(intents.map(orderOf));
  const withOrder = intents.filter((intent, i) => wanted[i]!.transfer.isFinal && intent.orderId !== null);
  const paid = new Set(withOrder.length > 0 ? (await listPaidAmong(tx, withOrder)).map(({ id }) => id) : []);
  const odd = wanted.filter(({ transfer: { transaction, destination, isFinal } }, i) => {
    const intent = intents[i]!;
    const isElsewhere = credits.some(
      (credit) =>
        credit.signature === transaction.signature &&
        credit.destination === destination.owner &&
        credit.intentId !== intent.id,
    );
    const isTwice = orders.get(orderOf(intent))! > 1 || paid.has(intent.id);
    return isElsewhere || (isFinal && intent.orderId !== null && isTwice);
  });
  if (odd.length > 0) throw new NotPlain(new Set(odd));
}

function moveOf(
  { transfer, received }: Candidate,
  before: Intent,
  sponsored: SponsoredIntent | undefined,
): IntentMove[] {
  const { transaction, destination, isFinal, now } = transfer;
  const funded: Intent = isFinal
    ? {
        ...before,
        receivedBaseUnits: before.receivedBaseUnits + received,
        txSignature: transaction.signature,
        ...originOf(transaction, destination, before, sponsored),
      }
    : before;
  const status = statusFromMoney(funded, isFinal ? 0n : received);
  if (status === before.status) return [];
  return [{ before, after: { ...funded, status, succeededAt: status === 'succeeded' ? now : null } }];
}

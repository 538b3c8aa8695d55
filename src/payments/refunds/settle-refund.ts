import { addsCents } from '../../intents/seen.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { type BaseUnits, baseUnitsToCents, centsToBaseUnits } from '../../platform/lib/money.ts';
import { listOverRefunded } from '../transfers/exception-queries.ts';
import { bookRefund } from './book-refund.ts';
import { changeRefund } from './change-refund.ts';
import { deletePendingRefundTransfer, listRefundTransfers, type RefundTransfer } from './check-queries.ts';
import { listExcess } from './list-excess.ts';
import { lockRefunds, updateRefund } from './queries.ts';
import { isOver, type Refund, sentCents } from './refund.ts';
import { countableCents, lockSources, type Source } from './refundable.ts';
import { type FoundTransfer, storeTransfers } from './store-transfers.ts';

/** Results of searching the chain for a refund's reference. */
export interface Findings {
  /** Oldest first. */
  transfers: readonly FoundTransfer[];
  /** Transactions that were confirmed and are no longer there. */
  gone: readonly string[];
}

export interface SettleContext {
  mint: string;
  now: Date;
}

export interface FoundRefund {
  /** Its source never changes; everything else is read again under its lock. */
  refund: Refund;
  findings: Findings;
}

/**
 * Brings refunds of one merchant in line with what the chain shows, all or none. It may be called any number of times:
 * money counts once. No two of them may be about the same money.
 */
export async function settleRefunds(
  db: Database,
  found: readonly FoundRefund[],
  context: SettleContext,
): Promise<Refund[]> {
  return db.transaction(async (tx) => {
    const refunds = found.map(({ refund }) => refund);
    const sources = await lockSources(tx, refunds);
    const locked = new Map((await lockRefunds(tx, refunds)).map((refund) => [refund.id, refund]));
    const settled: Refund[] = [];
    for (const [i, { refund, findings }] of found.entries()) {
      const before = locked.get(refund.id)!;
      for (const signature of findings.gone) await deletePendingRefundTransfer(tx, refund, signature);
      await storeTransfers(tx, { before, source: sources[i]!, found: findings.transfers, now: context.now });
      const transfers = await listRefundTransfers(tx, refund);
      settled.push(await follow(tx, { before, source: sources[i]!, transfers, ...context }));
    }
    return settled;
  });
}

interface Follow extends SettleContext {
  before: Refund;
  source: Source;
  /** Transfers in the order in which they were found. */
  transfers: readonly RefundTransfer[];
}

async function follow(tx: Tx, input: Follow): Promise<Refund> {
  const { before, source, transfers, mint, now } = input;
  const final = transfers.filter(({ isFinal }) => isFinal);
  const sentBaseUnits = sum(final);
  const isMore = sentBaseUnits > before.sentBaseUnits;
  const sent: Refund = { ...before, sentBaseUnits };
  const amountCents = isMore ? await provenCents(tx, sent, source) : undefined;
  const isShown = amountCents !== undefined || !isOver(before) || sentCents(sent) !== sentCents(before);
  const isNew = isMore && isShown && before.status !== 'succeeded';
  const after = isNew ? { ...sent, txSignature: decisive(final, before).signature } : sent;
  // Less than a cent is anybody's, and must not keep the merchant from sending or canceling.
  const isPending = addsCents(sentBaseUnits, sum(transfers.filter(({ isFinal }) => !isFinal)));
  const followed = await move(tx, { before, after, source, amountCents, isPending, isShown, mint, now });
  if (isMore) await listExcess(tx, followed, { mint, now });
  return followed;
}

/** The transfer that made a refund complete, whatever came after it; the last one while none has. */
function decisive(final: readonly RefundTransfer[], refund: Refund): RefundTransfer {
  let missing = centsToBaseUnits(refund.amountCents);
  const completing = final.find(({ baseUnits }) => {
    missing -= baseUnits;
    return missing <= 0n;
  });
  // Money that was sent after its end may have been for nothing.
  return isOver(refund) || !completing ? final.at(-1)! : completing;
}

/** The amount that is proven now; undefined while it is not, or where it has been before. */
async function provenCents(tx: Tx, refund: Refund, source: Source): Promise<bigint | undefined> {
  if (refund.status === 'succeeded') return undefined;
  const sent = baseUnitsToCents(refund.sentBaseUnits);
  if (refund.status !== 'canceled' && refund.status !== 'expired')
    return sent >= refund.amountCents ? refund.amountCents : undefined;
  // Sent although it was canceled: it counts as far as nothing else has taken its place.
  const listed = sum(await listOverRefunded(tx, refund.merchantId, refund.id));
  const fresh = baseUnitsToCents(refund.sentBaseUnits - listed);
  const cents = least(fresh, refund.amountCents, await countableCents(tx, source, refund.id));
  return cents > 0n ? cents : undefined;
}

function least(...values: bigint[]): bigint {
  return values.reduce((a, b) => (b < a ? b : a));
}

interface Move extends SettleContext {
  before: Refund;
  after: Refund;
  source: Source;
  amountCents: bigint | undefined;
  isPending: boolean;
  /** Anything that is shown of it changes. */
  isShown: boolean;
}

async function move(
  tx: Tx,
  { before, after, source, amountCents, isPending, isShown, ...context }: Move,
): Promise<Refund> {
  if (amountCents !== undefined)
    return bookRefund(tx, { before, after: { ...after, amountCents }, source, ...context });
  if (before.status === 'ready' && isPending)
    return changeRefund(tx, {
      before,
      after: { ...after, status: 'processing' },
      event: 'refund.processing',
      ...context,
    });
  if (before.status === 'processing' && !isPending)
    return changeRefund(tx, {
      before,
      after: { ...after, status: 'ready' },
      event: 'refund.updated',
      ...context,
    });
  if (after.sentBaseUnits === before.sentBaseUnits) return before;
  if (isShown) return changeRefund(tx, { before, after, event: 'refund.updated', ...context });
  // Less than a cent more is in the books and nowhere else.
  await updateRefund(tx, after);
  return after;
}

function sum(transfers: readonly { baseUnits: BaseUnits }[]): BaseUnits {
  return transfers.reduce((total, { baseUnits }) => total + baseUnits, 0n);
}

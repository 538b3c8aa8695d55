import type { Tx } from '../../platform/db/database.ts';
import { type BaseUnits, baseUnitsToCents, centsToBaseUnits } from '../../platform/lib/money.ts';
import { listOverRefunded } from '../transfers/exception-queries.ts';
import {
  deletePendingRefundTransfer,
  listRefundTransfers,
  type RefundTransfer,
  upsertRefundTransfer,
} from './check-queries.ts';
import { isOver, type Refund } from './refund.ts';
import { countableCents, type Source } from './refundable.ts';

/** Transfer as the chain shows it, with all that it brought, from any wallet. */
export interface FoundTransfer extends RefundTransfer {
  /** The part that left addresses of the merchant's own. */
  ownBaseUnits: BaseUnits;
}

interface Store {
  before: Refund;
  source: Source;
  /** Oldest first. */
  found: readonly FoundTransfer[];
  now: Date;
}

/**
 * Stores what counts as sent of the transfers that were found. Any wallet may send what is due. Beyond that only the merchant's
 * own money counts: a reference is public, and what a stranger adds to it is no part of a refund.
 */
export async function storeTransfers(tx: Tx, { before, source, found, now }: Store): Promise<void> {
  if (found.length === 0) return;
  const final = (await listRefundTransfers(tx, before)).filter(({ isFinal }) => isFinal);
  let room = await roomLeft(tx, before, source, final);
  for (const { ownBaseUnits, ...transfer } of found) {
    const { signature, baseUnits, isFinal } = transfer;
    if (final.some((known) => known.signature === signature)) continue;
    const own = signature === before.sentSignature ? baseUnits : ownBaseUnits;
    const counted = most(own, inWholeCents(before, least(baseUnits, room)));
    if (counted === 0n) await deletePendingRefundTransfer(tx, before, signature);
    else await upsertRefundTransfer(tx, before, { ...transfer, baseUnits: counted }, now);
    if (isFinal) room = most(0n, room - counted);
  }
}

/**
 * Returns what any wallet may still send: what is due, of a refund that has expired what nothing else has taken, and nothing of
 * one that the merchant has canceled.
 */
async function roomLeft(
  tx: Tx,
  refund: Refund,
  source: Source,
  final: readonly RefundTransfer[],
): Promise<BaseUnits> {
  const { merchantId, id, status, amountCents } = refund;
  const sent = final.reduce((sum, { baseUnits }) => sum + baseUnits, 0n);
  if (status === 'canceled') return 0n;
  if (status !== 'expired') return most(0n, centsToBaseUnits(amountCents) - sent);
  const listed = await listOverRefunded(tx, merchantId, id);
  const fresh = listed.reduce((rest, { baseUnits }) => rest - baseUnits, sent);
  const countable = least(amountCents, await countableCents(tx, source, id));
  return most(0n, centsToBaseUnits(most(0n, countable)) - fresh);
}

/** A refund that is over is brought back by cents: less is no part of it. */
function inWholeCents(refund: Refund, baseUnits: BaseUnits): BaseUnits {
  return isOver(refund) ? centsToBaseUnits(baseUnitsToCents(baseUnits)) : baseUnits;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

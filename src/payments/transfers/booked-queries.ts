import type { Queryable } from '../../platform/db/database.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';

export interface BookedTransfer {
  signature: string;
  slot: bigint;
  receivedBaseUnits: BaseUnits;
  balanceBefore: BaseUnits | null;
  balanceAfter: BaseUnits | null;
}

const BOOKED = 'signature, slot, received_base_units, balance_before, balance_after';

/** Lists final transfers in the slots after one and through another, whose block is not older than `from`, if that is given. */
export async function listFinalInSlots(
  db: Queryable,
  destination: string,
  { after, through, from }: { after: number; through: number; from: Date | undefined },
): Promise<BookedTransfer[]> {
  return db.query(
    `select ${BOOKED} from incoming_transfers
      where destination = $1 and is_final and slot > $2 and slot <= $3
        and ($4::timestamptz is null or block_time >= $4)`,
    [destination, after, through, from ?? null],
  );
}

/** Lists the final ones among these transfers. */
export async function listFinalAmong(
  db: Queryable,
  destination: string,
  signatures: readonly string[],
): Promise<BookedTransfer[]> {
  return db.query(
    `select ${BOOKED} from incoming_transfers where destination = $1 and is_final and signature = any($2)`,
    [destination, signatures],
  );
}

/** Counts the final transfers of all accounts; with `from` those whose block is not older. */
export async function countFinalTransfers(db: Queryable, from: Date | undefined): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from incoming_transfers
      where is_final and ($1::timestamptz is null or block_time >= $1)`,
    [from ?? null],
  );
  return row!.count;
}

import pg from 'pg';
import type { Queryable } from '../../platform/db/database.ts';
import type { MovedTable } from './moved-tables.ts';

/** Returns the number of the last event; it is not part of any snapshot. */
export async function findLastOrdinal(db: Queryable): Promise<bigint> {
  const [row] = await db.query<{ last: bigint | string }>(
    `select coalesce(pg_sequence_last_value(pg_get_serial_sequence('events', 'ordinal')::regclass), 0) as last`,
  );
  return BigInt(row!.last);
}

/** Nobody numbers an event until the transaction ends. */
export async function lockEvents(tx: Queryable): Promise<void> {
  await tx.query('lock table events in share row exclusive mode');
}

/** The next event gets the number after this one. Survives a rollback, which leaves a gap that nothing minds. */
export async function updateLastOrdinal(tx: Queryable, last: bigint): Promise<void> {
  await tx.query(`select setval(pg_get_serial_sequence('events', 'ordinal')::regclass, $1)`, [last]);
}

export async function findMerchant(
  db: Queryable,
  id: string,
): Promise<{ movedTo: string | null } | undefined> {
  const [row] = await db.query<{ movedTo: string | null }>('select moved_to from merchants where id = $1', [
    id,
  ]);
  return row;
}

/** Lets rows come in any order, and as they are: what triggers derive from them comes along. */
export async function prepareLoad(tx: Queryable): Promise<void> {
  await tx.query(`select set_config('florin.restoring', 'yes', true)`);
  await tx.query('set constraints all deferred');
}

/** Table in which arriving rows are checked before any is taken. Other sessions cannot see it. */
export const INCOMING = 'incoming_rows';

export async function createIncoming(tx: Queryable, { name, columns }: MovedTable): Promise<void> {
  const table = pg.escapeIdentifier(name);
  await tx.query(
    `create temporary table ${INCOMING} on commit drop as select ${listOf(columns)} from ${table} with no data`,
  );
}

export async function dropIncoming(tx: Queryable): Promise<void> {
  await tx.query(`drop table pg_temp.${INCOMING}`);
}

/** True of a row that is nobody's, too. */
export async function hasForeignRows(tx: Queryable, table: MovedTable, merchantId: string): Promise<boolean> {
  const [row] = await tx.query<{ isForeign: boolean }>(
    `select exists (select from pg_temp.${INCOMING} where (${ownedBy(table)}) is not true) as is_foreign`,
    [merchantId],
  );
  return row!.isForeign;
}

/** Returns how many there were. */
export async function insertOwn(tx: Queryable, table: MovedTable, merchantId: string): Promise<number> {
  const columns = listOf(table.columns);
  const [row] = await tx.query<{ count: string | number | bigint }>(
    `with taken as (
       insert into ${pg.escapeIdentifier(table.name)} (${columns}) overriding system value
       select ${columns} from pg_temp.${INCOMING} where ${ownedBy(table)} returning 1)
     select count(*) as count from taken`,
    [merchantId],
  );
  return Number(row!.count);
}

/** The condition that a row is the merchant's, whose id is the first parameter unless it is part of the statement. */
export function ownedBy({ owner }: MovedTable, merchantId = '$1'): string {
  return owner === 'destination'
    ? `destination in (select destination from watched_accounts where merchant_id = ${merchantId})`
    : `${owner} = ${merchantId}`;
}

function listOf(columns: readonly string[]): string {
  return columns.map(pg.escapeIdentifier).join(', ');
}

/** Money that was sent too much is listed with the account of whom it went to. */
const SENT: Readonly<Record<string, string>> = { payment_exceptions: "and kind <> 'over_refunded'" };

/** The first table with money of the merchant at an address that is not watched for it. */
export async function findForeignMoney(
  tx: Queryable,
  tables: readonly MovedTable[],
  merchantId: string,
): Promise<string | undefined> {
  for (const { name, columns, owner } of tables) {
    if (owner === 'destination' || name === 'watched_accounts' || !columns.includes('destination')) continue;
    const [row] = await tx.query(
      `select from ${pg.escapeIdentifier(name)} where ${owner} = $1 and destination is not null ${SENT[name] ?? ''}
          and destination not in (select destination from watched_accounts where merchant_id = $1) limit 1`,
      [merchantId],
    );
    if (row) return name;
  }
  return undefined;
}

/** An address that the merchant watches or asks for money at, and that another merchant here owns. */
export async function findForeignAddress(
  tx: Queryable,
  merchantId: string,
): Promise<{ address: string; merchantId: string } | undefined> {
  const [row] = await tx.query<{ address: string; merchantId: string }>(
    `select address, merchant_id from payout_addresses p
      where merchant_id <> $1 and not is_shared
        and (exists (select from watched_accounts w where w.merchant_id = $1 and w.destination = p.address)
          or exists (select from payment_intents i where i.merchant_id = $1 and i.destination_address = p.address))
      limit 1`,
    [merchantId],
  );
  return row;
}

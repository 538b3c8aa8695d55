import pg from 'pg';
import type { Queryable } from '../../platform/db/database.ts';
import type { MovedTable } from './moved-tables.ts';
import { ownedBy } from './queries.ts';

const quoted = pg.escapeIdentifier;

/**
 * True where the next position of an event would be another's, or none that there can be. Each position was given to an event
 * with a number of its own, and some of those events are gone.
 */
export async function isMiscounted(tx: Queryable, merchantId: string, lastOrdinal: bigint): Promise<boolean> {
  const [row] = await tx.query<{ isMiscounted: boolean }>(
    `select coalesce(c.last_position, 0) not between coalesce(p.last, 0) and $2
         or coalesce(c.pruned_position, 0) not between 0 and coalesce(c.last_position, 0) as is_miscounted
       from (select max(position) as last from event_positions where merchant_id = $1) p
       left join event_counters c on c.merchant_id = $1`,
    [merchantId, lastOrdinal],
  );
  return row!.isMiscounted;
}

export async function listWatchedOf(
  tx: Queryable,
  merchantId: string,
): Promise<{ destination: string; account: string; cursorSignature: string | null }[]> {
  return tx.query(
    `select destination, account, cursor_signature from watched_accounts where merchant_id = $1`,
    [merchantId],
  );
}

/**
 * Lists transactions of the merchant that are not final yet; they are followed together with those of all merchants.
 */
export async function listPendingSignatures(tx: Queryable, merchantId: string): Promise<string[]> {
  const rows = await tx.query<{ signature: string }>(
    `select signature from incoming_transfers
      where not is_final and destination in (select destination from watched_accounts where merchant_id = $1)`,
    [merchantId],
  );
  return rows.map(({ signature }) => signature);
}

/** Lists the references of payments and refunds that are still looked for. */
export async function listLookedFor(tx: Queryable, merchantId: string): Promise<string[]> {
  const rows = await tx.query<{ reference: string }>(
    `select reference_address as reference from payment_intents where merchant_id = $1 and reference_check_at is not null
     union select reference_address from refunds where merchant_id = $1 and check_at is not null`,
    [merchantId],
  );
  return rows.map(({ reference }) => reference);
}

/**
 * Finds a reference of the merchant that transactions of others name anyway: one of `known`, an address that money arrives at, or
 * a wallet of another merchant's customer. A service makes each of its own random bytes.
 */
export async function findForeignReference(
  tx: Queryable,
  merchantId: string,
  known: readonly string[],
): Promise<string | undefined> {
  const [row] = await tx.query<{ reference: string }>(
    `with own as materialized (
       select reference_address as reference from payment_intents where merchant_id = $1
       union all select reference_address from refunds where merchant_id = $1)
     select reference from own where reference = any($2)
     union all select reference from own join payout_addresses p on p.address = reference
     union all select reference from own join watched_accounts w on w.destination = reference
     union all select reference from own join watched_accounts w on w.account = reference
     union all select reference from own join payment_intents i on i.payer_address = reference and i.merchant_id <> $1
     union all select reference from own join refunds r on r.address = reference and r.merchant_id <> $1
     limit 1`,
    [merchantId, known],
  );
  return row?.reference;
}

/** Lists the address ranges that keys may be used from. */
export async function listRanges(tx: Queryable, merchantId: string): Promise<string[]> {
  const rows = await tx.query<{ range: string }>(
    'select distinct unnest(allowed_addresses) as range from api_keys where merchant_id = $1',
    [merchantId],
  );
  return rows.map(({ range }) => range);
}

/** Lists the sellers of the merchant's projects, as JSON. */
export async function listSellers(tx: Queryable, merchantId: string): Promise<string[]> {
  const rows = await tx.query<{ seller: string }>(
    'select seller::text as seller from projects where merchant_id = $1 and seller is not null',
    [merchantId],
  );
  return rows.map(({ seller }) => seller);
}

/** Lists the settings of the merchant's projects, as JSON. */
export async function listSettings(tx: Queryable, merchantId: string): Promise<string[]> {
  const rows = await tx.query<{ settings: string }>(
    'select settings::text as settings from projects where merchant_id = $1',
    [merchantId],
  );
  return rows.map(({ settings }) => settings);
}

export async function listTimeZones(tx: Queryable, merchantId: string): Promise<string[]> {
  const rows = await tx.query<{ zone: string }>(
    `select time_zone as zone from merchants where id = $1
     union select summary_time_zone from webhook_endpoints where merchant_id = $1`,
    [merchantId],
  );
  return rows.map(({ zone }) => zone);
}

export async function listUrls(tx: Queryable, merchantId: string): Promise<string[]> {
  const rows = await tx.query<{ url: string }>(
    `select webhook_url as url from merchants where id = $1 and webhook_url is not null
     union select url from webhook_endpoints where merchant_id = $1 and url is not null`,
    [merchantId],
  );
  return rows.map(({ url }) => url);
}

/**
 * Creates tables that hide those of the same name until the transaction ends: with the rows of one merchant, or with
 * none. They keep the primary key, which statements that group by it need.
 */
export async function createOwnTables(
  tx: Queryable,
  tables: readonly MovedTable[],
  others: readonly string[],
  merchantId: string,
): Promise<void> {
  const own = pg.escapeLiteral(merchantId);
  const shadows = [
    ...tables.map((table) => ({ name: table.name, rows: ownedBy(table, own) })),
    ...others.map((name) => ({ name, rows: 'false' })),
  ];
  for (const { name, rows } of shadows)
    await tx.query(
      `create temporary table ${quoted(name)} on commit drop as select * from ${quoted(name)} where ${rows}`,
    );
  const names = shadows.map(({ name }) => name);
  for (const { name, key } of await listKeys(tx, names))
    await tx.query(`alter table pg_temp.${quoted(name)} add ${key}`);
  await tx.query(`analyze ${names.map((name) => `pg_temp.${quoted(name)}`).join(', ')}`);
}

/** Their primary keys, as they are written. */
async function listKeys(tx: Queryable, names: readonly string[]): Promise<{ name: string; key: string }[]> {
  return tx.query(
    `select c.relname::text as name, pg_get_constraintdef(k.oid) as key
       from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'p' and c.relname = any($1)
        and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())`,
    [names],
  );
}

export async function dropOwnTables(tx: Queryable, names: readonly string[]): Promise<void> {
  await tx.query(`drop table ${names.map((name) => `pg_temp.${quoted(name)}`).join(', ')}`);
}

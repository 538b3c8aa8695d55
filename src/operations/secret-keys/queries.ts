import type { Queryable } from '../../platform/db/database.ts';
import { sealedOtherwise, sealPrefixes } from '../../platform/db/sealed-by.ts';
import { ID_BYTES, SEALED_WITH_ID } from '../../platform/lib/secret-box.ts';
import { SEALED_TABLES, type SealedTable } from './sealed-tables.ts';

export interface SealedCount {
  /** Null: the value does not begin as what is sealed does. */
  keyId: string | null;
  values: number;
}

/** How many values of a column each key has sealed. */
export async function countSealed(db: Queryable, table: string, column: string): Promise<SealedCount[]> {
  return db.query<SealedCount>(
    `select case when substring(${column} from 1 for 1) = $1 then encode(substring(${column} from 2 for $2), 'hex') end as key_id,
            count(*)::integer as values
       from ${table} where ${column} is not null group by 1 order by 1 nulls last`,
    [Buffer.of(SEALED_WITH_ID), ID_BYTES],
  );
}

export interface SealedRow {
  key: string;
  sealed: (Buffer | null)[];
}

/** The next rows with a value that the current key did not seal. */
export async function lockOtherwiseSealed(
  tx: Queryable,
  { name, key, keyType, columns }: SealedTable,
  { keyId, after, limit }: { keyId: string; after: string | null; limit: number },
): Promise<SealedRow[]> {
  const prefix = Buffer.concat([Buffer.of(SEALED_WITH_ID), Buffer.from(keyId, 'hex')]);
  const isOther = columns.map((column) => `substring(${column} from 1 for $2) <> $1`).join(' or ');
  return tx.query<SealedRow>(
    `select ${key}::text as key, array[${columns.join(', ')}] as sealed from ${name}
      where (${isOther}) and ($3::${keyType} is null or ${key} > $3::${keyType})
      order by ${name}.${key} limit $4 for no key update`,
    [prefix, prefix.length, after, limit],
  );
}

export async function updateSealed(
  tx: Queryable,
  { name, key, keyType, columns }: SealedTable,
  row: SealedRow,
): Promise<void> {
  const assignments = columns.map((column, i) => `${column} = $${i + 2}`).join(', ');
  await tx.query(`update ${name} set ${assignments} where ${key} = $1::${keyType}`, [row.key, ...row.sealed]);
}

/** Blocks writes to the tables until the transaction ends, and waits for those in progress. */
export async function lockSealedTables(tx: Queryable, tables: readonly SealedTable[]): Promise<void> {
  await tx.query(`lock table ${tables.map(({ name }) => name).join(', ')} in share mode`);
}

/** Merchants with something that none of these keys opens. */
export async function listMerchantsWithUnopened(
  db: Queryable,
  keyIds: readonly string[],
  limit: number,
): Promise<string[]> {
  const parts = SEALED_TABLES.filter(({ keyType }) => keyType === 'uuid').map(
    ({ name, columns }) =>
      `select ${name === 'merchants' ? 'id' : 'merchant_id'} as id from ${name} where ${columns.map(sealedOtherwise).join(' or ')}`,
  );
  const rows = await db.query<{ id: string }>(`${parts.join(' union ')} order by id limit $2`, [
    sealPrefixes(keyIds),
    limit,
  ]);
  return rows.map(({ id }) => id);
}

/** How many connections a service has that was running before this process began. */
export async function countServing(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and application_name = 'florin'
        and backend_start < clock_timestamp() - $1 * interval '1 second'`,
    [process.uptime()],
  );
  return row!.count;
}

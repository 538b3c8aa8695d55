import type { Queryable } from '../../platform/db/database.ts';
import { countSealed } from './queries.ts';
import { SEALED_TABLES } from './sealed-tables.ts';

export interface SealedColumn {
  column: string;
  /** Null: the value does not begin as what is sealed does. */
  keyId: string | null;
  values: number;
}

/** Counts the values that each key sealed, column by column. */
export async function readSealed(db: Queryable): Promise<SealedColumn[]> {
  const found: SealedColumn[] = [];
  for (const { name, columns } of SEALED_TABLES) {
    for (const column of columns) {
      const counts = await countSealed(db, name, column);
      found.push(...counts.map((count) => ({ column: `${name}.${column}`, ...count })));
    }
  }
  return found;
}

/** How many values a key other than the current one has sealed. */
export function countOthers(sealed: readonly SealedColumn[], currentId: string): number {
  return sealed.filter(({ keyId }) => keyId !== currentId).reduce((sum, { values }) => sum + values, 0);
}

/** Ids of keys that are needed and not there. */
export function missingKeyIds(sealed: readonly SealedColumn[], knownIds: readonly string[]): string[] {
  const ids = new Set(sealed.flatMap(({ keyId }) => keyId ?? []));
  return [...ids].filter((id) => !knownIds.includes(id));
}

/** For people: `current key 1a2b3c4d; merchants.webhook_secret: 12 with 1a2b3c4d, 3 with 5e6f7a8b (old)`. */
export function describeSealed(sealed: readonly SealedColumn[], knownIds: readonly string[]): string {
  const byColumn = Map.groupBy(sealed, ({ column }) => column);
  const columns = [...byColumn].map(
    ([column, counts]) => `${column}: ${counts.map((count) => describeCount(count, knownIds)).join(', ')}`,
  );
  return [`current key ${knownIds[0]}`, ...columns].join('; ');
}

function describeCount({ keyId, values }: SealedColumn, knownIds: readonly string[]): string {
  if (keyId === null) return `${values} without a key id`;
  if (keyId === knownIds[0]) return `${values} with ${keyId}`;
  return `${values} with ${keyId} (${knownIds.includes(keyId) ? 'old' : 'not configured'})`;
}

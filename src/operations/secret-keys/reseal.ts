import type { Database, Tx } from '../../platform/db/database.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { lockOtherwiseSealed, type SealedRow, updateSealed } from './queries.ts';
import { SEALED_TABLES, type SealedTable } from './sealed-tables.ts';

export interface ResealOptions {
  batchSize: number;
  /** Checked between batches: true stops there, and the next run continues. */
  isStopped(): boolean;
  onProgress(rows: number): void;
}

export interface Resealed {
  rows: number;
  /** Rows with a value that no known key opens: left as they were. */
  unopened: string[];
}

/**
 * Seals every stored secret again with the current key, batch by batch, each in its own transaction. It can be
 * stopped at any moment, even by kill -9: the next run finds the rest.
 */
export async function reseal(db: Database, secrets: SecretBox, options: ResealOptions): Promise<Resealed> {
  const total: Resealed = { rows: 0, unopened: [] };
  for (const table of SEALED_TABLES) {
    let after: string | null = null;
    while (!options.isStopped()) {
      const batch = await db.transaction((tx) => resealBatch(tx, secrets, table, after, options.batchSize));
      if (batch.last === undefined) break;
      after = batch.last;
      total.rows += batch.rows;
      total.unopened.push(...batch.unopened.map((key) => `${table.name} ${key}`));
      options.onProgress(total.rows);
    }
  }
  return total;
}

async function resealBatch(
  tx: Tx,
  secrets: SecretBox,
  table: SealedTable,
  after: string | null,
  limit: number,
): Promise<Resealed & { last: string | undefined }> {
  const keyId = secrets.keyIds()[0]!;
  const rows = await lockOtherwiseSealed(tx, table, { keyId, after, limit });
  const unopened: string[] = [];
  for (const row of rows) {
    const resealed = resealRow(secrets, row);
    if (resealed) await updateSealed(tx, table, resealed);
    else unopened.push(row.key);
  }
  return { rows: rows.length - unopened.length, unopened, last: rows.at(-1)?.key };
}

function resealRow(secrets: SecretBox, { key, sealed }: SealedRow): SealedRow | undefined {
  try {
    return { key, sealed: sealed.map((value) => value && secrets.seal(secrets.open(value))) };
  } catch {
    return undefined;
  }
}

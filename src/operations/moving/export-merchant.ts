import type { Writable } from 'node:stream';
import pg from 'pg';
import { prepareMove } from '../../accounts/merchants/close-merchant.ts';
import { noteSigned } from '../../payments/watcher/request-payment-check.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { findSharedPayment } from '../../sandbox/reset-queries.ts';
import { SEALED_TABLES } from '../secret-keys/sealed-tables.ts';
import { compressedInto } from '../table-file/compressed-into.ts';
import { copyOut } from '../table-file/copy-rows.ts';
import type { Transform } from '../table-file/encryption.ts';
import { jsonLine, type Progress, type TableSums } from '../table-file/format.ts';
import { type LockedTables, withLockedTables } from '../table-file/locked-tables.ts';
import { writeTables } from '../table-file/write-tables.ts';
import type { ExportHeader, MoveSummary } from './export-file.ts';
import { bytesOf, type Mapping, mapColumns, textOfBytes } from './map-columns.ts';
import { listMovedTables, type MovedTable } from './moved-tables.ts';
import { findLastOrdinal, ownedBy } from './queries.ts';
import { queryable } from './queryable.ts';
import { summarizeMove } from './summarize-move.ts';

export interface ExportParts {
  db: Database;
  secrets: SecretBox;
  merchant: { id: string; name: string | null };
  network: string;
  mint: string;
  publicUrl: string;
  now: Date;
  onProgress(progress: Progress): void;
  /** Always: the secrets inside are opened, for another installation to seal with its own key. */
  encrypt: Transform;
}

/**
 * Writes everything of one merchant, as of one moment, and nothing of any other, to `output`. Nothing is buffered. Only
 * a complete export is worth keeping; a merchant that is not closed would have changed since.
 */
export async function exportMerchant(parts: ExportParts, output: Writable): Promise<MoveSummary> {
  const { db, merchant, now } = parts;
  await db.transaction(async (tx) => {
    await prepareMove(tx);
    await noteSigned(tx, merchant.id, now);
  });
  return withLockedTables(db, 'isolation level repeatable read read only', 'access share', async (locked) => {
    const tx = queryable(locked.client);
    await refuseUnmovable(tx, parts.merchant.id);
    const header = await describeExport(parts, locked);
    const written: TableSums[] = [];
    await compressedInto(output, writeExport(parts, locked, header, written), parts.encrypt);
    return summarizeMove(header, written);
  });
}

async function refuseUnmovable(tx: Queryable, merchantId: string): Promise<void> {
  const watched = await tx.query<{ destination: string }>(
    'select destination from watched_accounts where merchant_id = $1',
    [merchantId],
  );
  const destinations = watched.map(({ destination }) => destination);
  if (await findSharedPayment(tx, merchantId, destinations))
    throw new Error(
      'payments of this merchant arrived at an address that another merchant has, or the other way around: neither can be moved without the other',
    );
}

async function describeExport(parts: ExportParts, { client, schema }: LockedTables): Promise<ExportHeader> {
  const { merchant, network, mint, publicUrl, now } = parts;
  const lastOrdinal = String(await findLastOrdinal(queryable(client)));
  const createdAt = now.toISOString();
  return {
    ...{ format: 'florin-merchant', version: 1 },
    ...{ schema, network, mint, createdAt, merchant, publicUrl, lastOrdinal },
  };
}

async function* writeExport(
  { merchant, secrets, onProgress }: ExportParts,
  { client, tables }: LockedTables,
  header: ExportHeader,
  written: TableSums[],
): AsyncGenerator<Buffer> {
  yield jsonLine(header);
  const moved = listMovedTables(tables);
  const rowsOf = (table: MovedTable) => {
    const rows = copyOut(client, `(${selectOwn(table, merchant.id)})`);
    const mappings = opening(table.name, secrets);
    return mappings.size > 0 ? mapColumns(rows, table.columns, mappings) : rows;
  };
  yield* writeTables(moved, rowsOf, { written, onProgress });
  yield jsonLine({ tables: moved.length });
}

/** COPY takes no parameters, so the id is part of the statement. */
function selectOwn(table: MovedTable, merchantId: string): string {
  const columns = table.columns.map(pg.escapeIdentifier).join(', ');
  return `select ${columns} from ${pg.escapeIdentifier(table.name)} where ${ownedBy(table, pg.escapeLiteral(merchantId))}`;
}

/** Secrets are opened. That the merchant is closed is true here only. */
function opening(table: string, secrets: SecretBox): Map<string, Mapping> {
  const sealed = SEALED_TABLES.find(({ name }) => name === table)?.columns ?? [];
  const open: Mapping = (value) => textOfBytes(Buffer.from(secrets.open(bytesOf(value))));
  const mappings = new Map(sealed.map((column) => [column, open]));
  if (table === 'merchants') for (const column of ['closed_at', 'moved_to']) mappings.set(column, () => null);
  return mappings;
}

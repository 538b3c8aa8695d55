import type { Readable } from 'node:stream';
import { recordAudit } from '../../platform/audit/record.ts';
import { verifyChain } from '../../platform/audit/verify-audit.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { sqlState } from '../../platform/db/database-errors.ts';
import { readMigrations } from '../../platform/db/migrations.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import type { Progress, TableHead, TableSums } from '../table-file/format.ts';
import { type LockedTables, withLockedTables } from '../table-file/locked-tables.ts';
import { readTables, WantedTables } from '../table-file/read-tables.ts';
import { TableFileReader } from '../table-file/table-file-reader.ts';
import type { CheckContents } from './check-contents.ts';
import { checkExportHeader, type ExportHeader, type MoveSummary } from './export-file.ts';
import { importRows } from './import-rows.ts';
import { type Incoming, incomingColumns } from './incoming-columns.ts';
import { mapColumns } from './map-columns.ts';
import { listMovedTables, type MovedTable } from './moved-tables.ts';
import {
  findForeignAddress,
  findForeignMoney,
  findLastOrdinal,
  findMerchant,
  lockEvents,
  prepareLoad,
  updateLastOrdinal,
} from './queries.ts';
import { queryable } from './queryable.ts';
import { summarizeMove } from './summarize-move.ts';

export interface ImportParts {
  db: Database;
  secrets: SecretBox;
  network: string;
  mint: string;
  publicUrl: string;
  now: Date;
  onProgress(progress: Progress): void;
  /** Checks what the rows must fulfil besides being the merchant's own. */
  checkContents: CheckContents;
}

const NOUN = 'export';

/**
 * Loads one merchant beside those that are here, all of it or nothing, while the service runs. Ids, keys and tokens
 * stay as they were; secrets are sealed with this installation's key.
 */
export async function importMerchant(parts: ImportParts, input: Readable): Promise<MoveSummary> {
  const { db, network, mint } = parts;
  const reader = new TableFileReader(input, NOUN);
  try {
    const schema = (await readMigrations()).length;
    const header = checkExportHeader(await reader.line(), { schema, network, mint });
    await refuseUnwelcome(db, header);
    const ordinalsBefore = await reserveOrdinals(db, BigInt(header.lastOrdinal));
    const incoming = { header, secrets: parts.secrets, publicUrl: parts.publicUrl, ordinalsBefore };
    const loaded = await withLockedTables(db, '', 'row exclusive', (locked) =>
      load(parts, locked, incoming, reader),
    ).catch(async (error: unknown) => {
      // Another import of the same file was faster.
      if (sqlState(error) === UNIQUE_VIOLATION) await refuseUnwelcome(db, header);
      return explainCollision(error);
    });
    return summarizeMove(header, loaded);
  } finally {
    reader.close();
  }
}

async function refuseUnwelcome(db: Database, { merchant }: ExportHeader): Promise<void> {
  const here = await findMerchant(db, merchant.id);
  if (here?.movedTo)
    throw new Error(
      `the merchant ${merchant.id} has left this installation for ${here.movedTo}, and its books of then are kept here: it cannot come back to the same installation`,
    );
  if (here) throw new Error(`the merchant ${merchant.id} is here already`);
}

/** Largest event number that every part of a service can count to. */
const MAX_ORDINALS = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Events are numbered across merchants. Those that come keep their order, after every number given here until now and
 * before every later one. Returns what to add to each.
 */
async function reserveOrdinals(db: Database, count: bigint): Promise<bigint> {
  return db.transaction(async (tx) => {
    await lockEvents(tx);
    const last = await findLastOrdinal(tx);
    if (last + count > MAX_ORDINALS) throw new Error('the numbers of events would come to an end');
    if (count > 0n) await updateLastOrdinal(tx, last + count);
    return last;
  });
}

async function load(
  { now, mint, onProgress, checkContents }: ImportParts,
  { client, tables, schema }: LockedTables,
  incoming: Incoming,
  reader: TableFileReader,
): Promise<TableSums[]> {
  const tx = queryable(client);
  // Again, now that no migration can begin.
  if (schema !== incoming.header.schema)
    throw new Error(
      `the export is at schema ${incoming.header.schema}, the database at ${schema}: run npx florin migrate`,
    );
  await prepareLoad(tx);
  const merchantId = incoming.header.merchant.id;
  const moved = listMovedTables(tables);
  const wanted = new WantedTables(moved, NOUN);
  const mappingsOf = incomingColumns(incoming);
  const { loaded } = await readTables(reader, {
    open: (line) => openTable(line as unknown as TableHead, wanted),
    load: (table, rows) =>
      importRows({ client, merchantId, now }, table, mapColumns(rows, table.columns, mappingsOf(table))),
    onProgress,
  });
  wanted.requireAll();
  if (loaded.find(({ table }) => table === 'merchants')?.rows !== 1)
    throw new Error('the export holds no merchant, or several');
  await reader.end();
  await requireOwnMoney(tx, moved, merchantId);
  const { publicUrl, createdAt } = incoming.header;
  const { faults } = await verifyChain(tx, merchantId);
  if (faults[0]) throw new Error(`the audit log in the export has been altered: ${faults[0].text}`);
  const detail = { from: publicUrl, exportedAt: createdAt };
  await recordAudit(tx, {
    ...{ merchantId, actor: 'operator', action: 'merchant.imported', detail, now },
  });
  await checkContents(tx, { tables: moved, merchantId, mint, now });
  return loaded;
}

/** Payments are found by the addresses that they arrive at, so none may be somebody else's. */
async function requireOwnMoney(
  tx: Queryable,
  tables: readonly MovedTable[],
  merchantId: string,
): Promise<void> {
  const table = await findForeignMoney(tx, tables, merchantId);
  if (table) throw new Error(`the export holds payments of another merchant, in ${table}`);
  const taken = await findForeignAddress(tx, merchantId);
  if (taken)
    throw new Error(
      `the merchant ${taken.merchantId} of this installation has the payout address ${taken.address}: nothing was imported`,
    );
}

function openTable({ table: name, columns }: TableHead, wanted: WantedTables<MovedTable>): MovedTable {
  const table = wanted.take(name);
  const isSame =
    Array.isArray(columns) &&
    columns.length === table.columns.length &&
    new Set(columns).size === columns.length &&
    columns.every((one) => table.columns.includes(one));
  if (!isSame) throw new Error(`the export has other columns of ${name} than this installation`);
  return { ...table, columns };
}

const UNIQUE_VIOLATION = '23505';

/** Explains which value that must be unique in an installation is taken by another merchant. */
function explainCollision(error: unknown): never {
  const { table, constraint } = error as { table?: string; constraint?: string };
  if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
  const what =
    constraint === 'watched_accounts_pkey'
      ? 'received payments at the same payout address'
      : `something that must be unique (${table}, ${constraint})`;
  throw new Error(`another merchant of this installation has ${what}: nothing was imported`, {
    cause: error,
  });
}

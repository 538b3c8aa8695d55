import type { Database, Queryable } from '../db/database.ts';
import { auditHeads, listChainedRows, listMerchantIds, listRowsOutside } from './queries.ts';
import { beginWalk, type ChainFault, walkChain } from './walk-chain.ts';

export interface ChainReport {
  merchantId: string;
  rows: number;
  /** Worth storing elsewhere: rewriting the whole chain cannot change that copy. Null before the first row. */
  head: string | null;
  faults: ChainFault[];
  /** Faults beyond those that are listed. */
  unlisted: number;
}

export interface VerifyOptions {
  /** Only this one. */
  merchantId?: string | undefined;
  /** By merchant: hashes that were heads once and so must still be in the chain. */
  expected?: ReadonlyMap<string, readonly string[]>;
  onRows?: (rowCount: number) => void;
}

const BATCH = 500;
const LISTED = 100;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Reads every chain from its beginning, a batch at a time and while others write, and answers one after the other. */
export async function* verifyAudit(db: Database, options: VerifyOptions = {}): AsyncGenerator<ChainReport> {
  if (options.merchantId) {
    yield await verifyChain(db, options.merchantId, options);
    return;
  }
  for (let afterId = NO_ID; ; ) {
    const ids = await listMerchantIds(db, afterId, BATCH);
    for (const { id } of ids) yield await verifyChain(db, id, options);
    if (ids.length < BATCH) return;
    afterId = ids.at(-1)!.id;
  }
}

export async function verifyChain(
  db: Queryable,
  merchantId: string,
  options: VerifyOptions = {},
): Promise<ChainReport> {
  const stored = await auditHeads.find(db, { merchantId });
  const head = stored ?? { merchantId, sequence: 0n, hash: Buffer.alloc(0) };
  const report: ChainReport = {
    merchantId,
    rows: 0,
    head: head.sequence > 0n ? head.hash.toString('hex') : null,
    faults: [],
    unlisted: 0,
  };
  const note = (fault: ChainFault) => {
    if (report.faults.length < LISTED) report.faults.push(fault);
    else report.unlisted++;
  };
  const missing = new Set(options.expected?.get(merchantId));
  const walk = beginWalk();
  for (let after = { sequence: 0n, id: NO_ID }; ; ) {
    const rows = await listChainedRows(db, head, after, BATCH);
    // The next row can turn one fault into another, so each batch ends with its faults reported.
    for (const fault of walkChain(walk, rows)) note(fault);
    for (const row of rows) if (row.hash) missing.delete(row.hash.toString('hex'));
    report.rows += rows.length;
    options.onRows?.(rows.length);
    if (rows.length < BATCH) break;
    after = rows.at(-1)!;
  }
  const { last } = walk;
  if (last.sequence < head.sequence) {
    const text = `rows ${last.sequence + 1n} to ${head.sequence} are gone from the end`;
    note({ rowId: last.id || null, kind: 'truncated', text });
  } else if (!last.hash.equals(head.hash)) {
    note({
      rowId: last.id || null,
      kind: 'head',
      text: 'it is the last row, but not the one the head names',
    });
  }
  await verifyRest(db, report, note);
  for (const hash of missing) {
    note({
      rowId: null,
      kind: 'not_found',
      text: `no row has the hash ${hash}: the log was rewritten or truncated`,
    });
  }
  return report;
}

/** Finds faults that no walk from the first row to the head meets. */
async function verifyRest(
  db: Queryable,
  report: ChainReport,
  note: (fault: ChainFault) => void,
): Promise<void> {
  const { merchantId } = report;
  for (const { id } of await listRowsOutside(db, merchantId, LISTED)) {
    note({ rowId: id, kind: 'inserted', text: 'it is outside of the chain, where no row was written' });
  }
}

import { createHash } from 'node:crypto';
import type { ChainedRow } from './queries.ts';

export interface ChainFault {
  /** The row that shows it; null where it is a row that should be there. */
  rowId: string | null;
  kind: 'changed' | 'moved' | 'inserted' | 'missing' | 'truncated' | 'head' | 'not_found';
  /** A sentence that says what is wrong. */
  text: string;
}

/** The position of a walk along a chain. It keeps the last two rows. */
export interface Walk {
  last: Link;
  beforeLast: Link | undefined;
}

interface Link {
  /** Empty before the first row. */
  id: string;
  sequence: bigint;
  hash: Buffer;
  fault?: ChainFault;
}

export function beginWalk(): Walk {
  return { last: { id: '', sequence: 0n, hash: Buffer.alloc(0) }, beforeLast: undefined };
}

/** Takes the next rows of a chain and answers what is wrong with them, going on behind each fault. */
export function walkChain(walk: Walk, rows: readonly ChainedRow[]): ChainFault[] {
  const found = new Set<ChainFault>();
  const near = [walk.beforeLast, walk.last, ...rows].filter((link) => link?.hash) as Link[];
  for (const row of rows) {
    const link: Link = { id: row.id, sequence: row.sequence, hash: row.hash ?? Buffer.alloc(0) };
    const fault = findFault(walk, row, near, found);
    if (fault) {
      found.add(fault);
      link.fault = fault;
    }
    walk.beforeLast = walk.last;
    walk.last = link;
  }
  return [...found];
}

function findFault(
  { last, beforeLast }: Walk,
  row: ChainedRow,
  near: readonly Link[],
  found: Set<ChainFault>,
): ChainFault | undefined {
  if (row.sequence <= last.sequence) return fault(row, 'inserted', `it is a second row ${row.sequence}`);
  if (row.sequence > last.sequence + 1n) {
    const [from, to] = [last.sequence + 1n, row.sequence - 1n];
    return fault(
      row,
      'missing',
      `before it ${from === to ? `row ${from} is` : `rows ${from} to ${to} are`} gone`,
    );
  }
  if (follows(row, last)) return undefined;
  const before = near.find((link) => link.id !== row.id && follows(row, link));
  if (!before) return fault(row, 'changed', 'it, or what came right before it, is not what was written');
  if (before === beforeLast || before.id === beforeLast?.id) {
    if (last.fault?.kind !== 'moved') {
      if (last.fault) found.delete(last.fault);
      last.fault = fault(last, 'inserted', `it is between two rows that follow each other`);
      found.add(last.fault);
      return undefined;
    }
  }
  const place = before.id === '' ? 'as the first row' : `right after row ${before.id}`;
  return fault(row, 'moved', `it was written ${place}, which is not where it is now`);
}

function follows({ hash, content }: ChainedRow, before: Pick<Link, 'hash'>): boolean {
  return hash !== null && createHash('sha256').update(before.hash).update(content).digest().equals(hash);
}

function fault(row: { id: string }, kind: ChainFault['kind'], text: string): ChainFault {
  return { rowId: row.id, kind, text };
}

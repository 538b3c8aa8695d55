import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Flow } from './peer.ts';

const TIMES = 50;
/** An idle connection reports what it wrote after ten seconds. */
const REPORTED_AFTER_MS = 11_000;

/** Work of the database for one run of a flow. */
export interface Work {
  statements: number;
  /** Transactions that wrote: each waits for the disk before it is answered. */
  commits: number;
  /** Rows written, including what follows in the background. */
  rowsWritten: number;
}

/** Runs it a few times alone and divides what the server logged; what it logs while nothing runs is taken off. */
export async function countWork(flow: Flow, admin: pg.Client, logPath: string): Promise<Work> {
  const database = flow.database!;
  await logStatements(admin, true);
  const rowsBefore = await rowsWritten(admin, database);
  const from = await sizeOf(logPath);
  const startedMs = performance.now();
  for (let i = 0; i < TIMES; i++) await flow.run();
  const tookMs = performance.now() - startedMs;
  const busy = countLogged(await readFrom(logPath, from), database);
  const idleFrom = await sizeOf(logPath);
  await sleep(REPORTED_AFTER_MS);
  const idle = countLogged(await readFrom(logPath, idleFrom), database);
  await logStatements(admin, false);
  const share = tookMs / REPORTED_AFTER_MS;
  const each = (kind: 'statements' | 'commits') => Math.round((busy[kind] - idle[kind] * share) / TIMES);
  return {
    statements: each('statements'),
    commits: each('commits'),
    rowsWritten: Math.round(((await rowsWritten(admin, database)) - rowsBefore) / TIMES),
  };
}

async function logStatements(admin: pg.Client, isOn: boolean): Promise<void> {
  await admin.query(isOn ? `alter system set log_statement = 'all'` : 'alter system reset log_statement');
  await admin.query(`alter system set log_line_prefix = '%d %p '`);
  await admin.query('select pg_reload_conf()');
  await sleep(200);
}

async function rowsWritten(admin: pg.Client, database: string): Promise<number> {
  const { rows } = await admin.query(
    'select (tup_inserted + tup_updated + tup_deleted)::int as written from pg_stat_database where datname = $1',
    [database],
  );
  return rows[0].written;
}

/** Statements of one database, and its transactions with a write among them. */
export function countLogged(log: string, database: string): Pick<Work, 'statements' | 'commits'> {
  const begun = new Map<string, { wrote: boolean }>();
  let [statements, commits] = [0, 0];
  const lines = log.matchAll(
    /^(\S+) (\d+) LOG: {2}(?:statement|execute [^:]+): ([\s\S]*?)(?=^\S+ \d+ [A-Z]+: {2})/gm,
  );
  for (const [, of, pid, text] of lines) {
    if (of !== database) continue;
    statements += 1;
    const statement = text!.trim().toLowerCase();
    const isWrite = /\b(insert into|delete from|(?<!(for|key) )update)\b/.test(statement);
    const transaction = begun.get(pid!);
    if (/^(begin|start transaction)/.test(statement)) begun.set(pid!, { wrote: false });
    else if (/^(commit|rollback$|rollback;)/.test(statement)) {
      if (transaction?.wrote && statement.startsWith('commit')) commits += 1;
      begun.delete(pid!);
    } else if (isWrite && transaction) transaction.wrote = true;
    else if (isWrite) commits += 1;
  }
  return { statements, commits };
}

async function sizeOf(path: string): Promise<number> {
  const file = await open(path);
  return (await file.stat().finally(() => file.close())).size;
}

async function readFrom(path: string, from: number): Promise<string> {
  const file = await open(path);
  try {
    const buffer = Buffer.alloc((await file.stat()).size - from);
    await file.read(buffer, 0, buffer.length, from);
    // A last line without content, so that the one before it ends somewhere.
    return `${buffer}- 0 END:  `;
  } finally {
    await file.close();
  }
}

import { readFile, rename, writeFile } from 'node:fs/promises';
import { elapsedMs } from '../lib/clock.ts';
import { isUuid } from '../lib/ids.ts';
import type { Database, Queryable } from './database.ts';

/** The furthest a process has seen the database. */
export interface Mark {
  lineage: string;
  beat: bigint;
  at: Date;
}

export interface HighWaterMark {
  /** Compares the database with what was seen before, and remembers how far it is now. */
  check(): Promise<void>;
  /** Description of the problem, if the database has gone back in time. */
  problem(): string | undefined;
  /** How long the write of a beat has been under way: a commit that hangs, as one that waits for a standby that is gone. */
  writingMs(): number;
}

interface Parts {
  db: Database;
  /** File in which the mark outlives the process. */
  file: string;
  now(): Date;
  say(problem: string): void;
}

interface Row {
  lineage: string;
  /** Lineages that this one continues. */
  formerLineages: string[];
  beat: bigint;
  isWritten: boolean;
  wentBack: string | null;
}

const HOW_TO_GO_ON =
  'payments can be found again on the chain with “florin reconcile --repair”, everything else is lost unless the right database comes back. When this is settled, run “florin accept-database” with the settings of this process';

/**
 * Notices a database that has lost writes it had acknowledged: an old primary that was started again, or a restored one.
 * Every write is followed by a beat, a number in the database that only grows and that this process keeps outside.
 */
export async function openHighWaterMark({ db, file, now, say }: Parts): Promise<HighWaterMark> {
  let seen = await readMark(file, say);
  let problem: string | undefined;
  /** Since the first try of a write that has not succeeded yet. */
  let writingSinceMs: number | undefined;

  async function beatOnce(): Promise<bigint> {
    writingSinceMs ??= elapsedMs();
    const beat = await writeBeat(db);
    writingSinceMs = undefined;
    return beat;
  }

  function remember(lineage: string, beat: bigint): Promise<void> {
    seen = { lineage, beat, at: now() };
    return writeMark(file, seen);
  }

  return {
    problem: () => problem,
    writingMs: () => (writingSinceMs === undefined ? 0 : elapsedMs() - writingSinceMs),
    async check() {
      const row = await readRow(db);
      if (row === undefined) return;
      const { lineage, beat } = row;
      const isSame = seen?.lineage === lineage;
      let wentBack = row.wentBack ?? undefined;
      if (isSame && beat < seen!.beat) wentBack ??= await noteWentBack(db, seen!, beat, now());
      // Not noted in the database: it may be this process that is in the wrong place.
      if (seen && isForeign(seen, row)) wentBack ??= foreign(seen);
      if (wentBack !== problem && wentBack !== undefined) say(`${wentBack}: ${HOW_TO_GO_ON}`);
      problem = wentBack;
      if (problem !== undefined) return;
      if (row.isWritten) await remember(lineage, await beatOnce());
      else if (!isSame || beat > seen!.beat) await remember(lineage, beat);
    },
  };
}

/**
 * For doctor, also before anything is started on the database: what processes noticed, whatever machine they run on, and what
 * the mark in `file` says.
 */
export async function readWentBack(db: Queryable, file: string): Promise<string | undefined> {
  const row = await readRow(db);
  if (!row || row.wentBack !== null) return row?.wentBack ?? undefined;
  const seen = await readMark(file, () => {});
  if (seen && isForeign(seen, row)) return foreign(seen);
  return seen && seen.lineage === row.lineage && row.beat < seen.beat ? described(seen, row.beat) : undefined;
}

/**
 * From now on the data counts as it is: after a restore, or when an operator has settled what was lost. Also for processes
 * with the mark in `file`, if it is of another database.
 */
export async function startLineage(db: Queryable, file?: string): Promise<void> {
  const seen = file === undefined ? undefined : await readMark(file, () => {});
  await db.query(
    `update installation
        set former_lineages = array(select distinct former from unnest(former_lineages || lineage || $1::uuid[]) as former),
            lineage = gen_random_uuid(), beat = 0, went_back_at = null, went_back = null`,
    [seen && isUuid(seen.lineage) ? [seen.lineage] : []],
  );
}

/** Nothing on a standby: it may be behind for a moment, and its beats say nothing. */
async function readRow(db: Queryable): Promise<Row | undefined> {
  const [row] = await db.query<Row>(
    `select lineage, former_lineages, beat, went_back,
            beat_transaction + 1 <> pg_snapshot_xmax(pg_current_snapshot())::text::bigint as is_written
       from installation
      where not pg_is_in_recovery()`,
  );
  return row;
}

async function writeBeat(db: Queryable): Promise<bigint> {
  const [row] = await db.query<{ beat: bigint }>(
    `update installation set beat = beat + 1, beat_transaction = pg_current_xact_id()::text::bigint returning beat`,
  );
  return row!.beat;
}

/** In the database too, so that processes that saw less say it as well. */
async function noteWentBack(db: Queryable, seen: Mark, beat: bigint, now: Date): Promise<string> {
  const [row] = await db.query<{ text: string }>(
    `update installation set went_back_at = coalesce(went_back_at, $1), went_back = coalesce(went_back, $2)
     returning went_back as text`,
    [now, described(seen, beat)],
  );
  return row!.text;
}

/** It does not continue what was seen: it is older than the last time an operator accepted one, or of somebody else. */
function isForeign(seen: Mark, { lineage, formerLineages }: Row): boolean {
  return seen.lineage !== lineage && !formerLineages.includes(seen.lineage);
}

function foreign(seen: Mark): string {
  return `this is not the database of before: what had reached mark ${seen.beat} at ${seen.at.toISOString()} is not part of its history, so writes that were acknowledged may be missing`;
}

function described(seen: Mark, beat: bigint): string {
  return `the database has gone back in time: it had reached mark ${seen.beat} at ${seen.at.toISOString()} and is at ${beat} now, so writes that were acknowledged are gone`;
}

/** A file that is damaged tells nothing, and that is said; a missing one is that of a first start. */
async function readMark(file: string, say: (problem: string) => void): Promise<Mark | undefined> {
  try {
    const { lineage, beat, at } = JSON.parse(await readFile(file, 'utf8'));
    const mark = { lineage: String(lineage), beat: BigInt(beat), at: new Date(at) };
    if (!Number.isNaN(mark.at.getTime())) return mark;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  }
  say(`${file} cannot be read, so a database that went back in time before this start is not noticed`);
  return undefined;
}

/** Whole or not at all. A folder that cannot be written leaves the mark to the life of the process. */
async function writeMark(file: string, { lineage, beat, at }: Mark): Promise<void> {
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, `${JSON.stringify({ lineage, beat: String(beat), at })}\n`, { mode: 0o600 })
    .then(() => rename(fresh, file))
    .catch(() => {});
}

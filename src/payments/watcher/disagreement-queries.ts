import type { Queryable } from '../../platform/db/database.ts';

export interface DisagreementRow {
  signature: string;
  destination: string;
  node: string;
  claim: string;
  decidedAt: Date | null;
  isRefuted: boolean;
}

/** Returns the nodes that were not on record with this transaction before. */
export async function upsertDisagreements(
  db: Queryable,
  rows: readonly DisagreementRow[],
  now: Date,
): Promise<string[]> {
  const json = JSON.stringify(rows);
  const inserted = await db.query<{ node: string }>(
    `insert into node_disagreements (signature, destination, node, claim, first_seen_at, last_seen_at, decided_at, is_refuted)
     select signature, destination, node, claim, $2, $2, "decidedAt", "isRefuted" from ${ROWS}
     on conflict do nothing returning node`,
    [json, now],
  );
  await db.query(
    `update node_disagreements d
        set claim = r.claim, last_seen_at = $2, decided_at = r."decidedAt", is_refuted = r."isRefuted"
       from ${ROWS} where d.signature = r.signature and d.destination = r.destination and d.node = r.node`,
    [json, now],
  );
  return inserted.map(({ node }) => node);
}

const ROWS = `jsonb_to_recordset($1) as r(signature text, destination text, node text, claim text,
                                         "decidedAt" timestamptz, "isRefuted" boolean)`;

/** Clears the nodes whose claim turned out to be true; the others stay on record. */
export async function updateDecided(
  db: Queryable,
  of: { signature: string; destination: string; rightClaims: readonly string[]; isRefuted: boolean },
  now: Date,
): Promise<void> {
  await db.query(
    'delete from node_disagreements where signature = $1 and destination = $2 and claim = any($3)',
    [of.signature, of.destination, of.rightClaims],
  );
  await db.query(
    `update node_disagreements set decided_at = coalesce(decided_at, $3), is_refuted = $4
      where signature = $1 and destination = $2`,
    [of.signature, of.destination, now, of.isRefuted],
  );
}

/** Lists those of these transactions that enough nodes agree do not exist. */
export async function listRefuted(
  db: Queryable,
  destination: string,
  signatures: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ signature: string }>(
    `select distinct signature from node_disagreements
      where signature = any($2) and destination = $1 and is_refuted`,
    [destination, signatures],
  );
  return rows.map(({ signature }) => signature);
}

export async function listUndecided(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ signature: string }>(
    'select distinct signature from node_disagreements where decided_at is null',
  );
  return rows.map(({ signature }) => signature);
}

export async function deleteOldDisagreements(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from node_disagreements where last_seen_at < $1 and decided_at is not null', [
    before,
  ]);
}

export interface NodeRecord {
  node: string;
  undecided: number;
  /** Decided against what this node said. */
  contradicted: number;
}

export async function listNodeRecords(db: Queryable, since: Date): Promise<NodeRecord[]> {
  return db.query<NodeRecord>(
    `select node, count(*) filter (where decided_at is null)::integer as undecided,
            count(*) filter (where decided_at is not null)::integer as contradicted
       from node_disagreements where last_seen_at >= $1 or decided_at is null
      group by node order by node`,
    [since],
  );
}

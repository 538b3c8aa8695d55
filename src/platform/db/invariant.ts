import type { Queryable } from './database.ts';

/** Something that is true of every healthy database, as a query for the rows that break it. */
export interface Invariant {
  name: string;
  /** A sentence that says what holds. */
  says: string;
  /** Selects one text per violation: enough to find the row. */
  violations: string;
}

export interface InvariantResult {
  name: string;
  says: string;
  violations: string[];
}

const SHOWN = 5;

export async function checkInvariants(
  db: Queryable,
  invariants: readonly Invariant[],
): Promise<InvariantResult[]> {
  const results: InvariantResult[] = [];
  for (const { name, says, violations } of invariants) {
    const rows = await db.query<{ violation: string }>(
      `select v.violation::text as violation from (${violations}) as v(violation) limit ${SHOWN}`,
    );
    results.push({ name, says, violations: rows.map((row) => row.violation) });
  }
  return results;
}

/** Invariants that the schema itself promises, read back from the catalogs of the live database. */
export const schemaInvariants: Invariant[] = [
  {
    name: 'tenants-apart',
    says: 'No row can point to another merchant’s row: every foreign key between tenant tables includes merchant_id.',
    violations: `
      select c.conrelid::regclass || '.' || c.conname
        from pg_constraint c
        join pg_attribute own on own.attrelid = c.conrelid and own.attname = 'merchant_id'
        join pg_attribute far on far.attrelid = c.confrelid and far.attname = 'merchant_id'
       where c.contype = 'f' and c.connamespace = 'public'::regnamespace
         and not (own.attnum = any(c.conkey) and far.attnum = any(c.confkey))`,
  },
  {
    name: 'audit-only-grows',
    says: 'Audit rows, events and postings cannot be altered: their triggers are in place and switched on.',
    violations: `
      select wanted.name from (values ('audit_entries_only_grow'), ('audit_entries_chain'), ('audit_entries_head'),
        ('audit_heads_stay'), ('events_only_grow'), ('postings_only_grow')) as wanted(name)
       where not exists (select from pg_trigger t where t.tgname = wanted.name and t.tgenabled = 'O')`,
  },
];

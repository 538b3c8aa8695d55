import { type Database, hasFound, type Queryable, type Tx } from '../db/database.ts';
import { sqlState } from '../db/database-errors.ts';
import { BoundedMap } from '../lib/bounded-map.ts';
import { elapsedMs } from '../lib/clock.ts';
import { failureType } from './span.ts';
import type { Outcome, Tracer } from './tracer.ts';

/** The same database, whose statements and transactions are noted in the span under way. */
export function traceDatabase(db: Database, tracer: Tracer): Database {
  // Members that are not named here are the database's own, its accessors included.
  return Object.assign(Object.create(db) as Database, {
    query: tracedQuery(db, tracer),
    transaction: <Result>(work: (tx: Tx) => Promise<Result>) =>
      tracer.part('transaction', { 'db.system.name': 'postgresql' }, () =>
        db.transaction((tx) => work({ ...tx, query: tracedQuery(tx, tracer) })),
      ),
    withPatience: (ms: number) => traceDatabase(db.withPatience(ms), tracer),
  });
}

function tracedQuery(inner: Queryable, tracer: Tracer): Queryable['query'] {
  return async (text, values) => {
    if (!tracer.isRecording()) return inner.query(text, values);
    const { name, isWrite } = summaryOf(text);
    const startedMs = elapsedMs();
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
    const note = (outcome: Outcome) =>
      tracer.noteCall(name, elapsedMs() - startedMs, {
        ...outcome,
        attributes: { ...attributes, ...outcome.attributes },
      });
    try {
      const rows = await inner.query<never>(text, values);
      note({ isWork: isWrite && hasFound(rows) });
      return rows;
    } catch (error) {
      const failure = { 'db.response.status_code': sqlState(error), 'error.type': failureType(error) };
      note({ attributes: failure, hasFailed: true });
      throw error;
    }
  };
}

interface Summary {
  name: string;
  isWrite: boolean;
}

const REMEMBERED = 2_000;
const summaries = new BoundedMap<string, Summary>(REMEMBERED);

const WRITE = /(?<!\b(?:for|do|no key) )\b(insert into|update|delete from)\s+([a-z_]+)/g;
const READ = /\bfrom\s+([a-z_]+)/;

/** Verb and table of a statement, in two words: low in number, and without its text. */
export function summaryOf(text: string): Summary {
  return summaries.getOrMake(text, () => summarize(text));
}

function summarize(text: string): Summary {
  // Statements before the last write serve it, such as the claim of a key.
  const [, verb, written] = [...text.matchAll(WRITE)].at(-1) ?? [];
  const read = READ.exec(text)?.[1];
  const name = verb ? `${verb.split(' ')[0]} ${written}` : read ? `select ${read}` : 'statement';
  return { name, isWrite: verb !== undefined };
}

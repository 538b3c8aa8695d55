import type { Database, Queryable } from './database.ts';
import { openSnapshot } from './snapshot.ts';

const ROWS_AT_ONCE = 1_000;

/**
 * The rows of one statement, some at a time, so that a million of them never sit in memory. All are of one moment, and
 * so is what `also` is asked meanwhile. The connection is free again when the reader stops, at the end or before.
 */
export async function* streamRows<Row>(
  db: Database,
  text: string,
  values: readonly unknown[],
): AsyncGenerator<{ rows: Row[]; also: Queryable }, void> {
  const { also, close } = await openSnapshot(db);
  try {
    for await (const rows of fetchRows<Row>(also, text, values)) yield { rows, also };
  } finally {
    await close();
  }
}

/** The same inside a snapshot that is already open, one statement at a time. */
export async function* fetchRows<Row>(
  snapshot: Queryable,
  text: string,
  values: readonly unknown[],
): AsyncGenerator<Row[], void> {
  await snapshot.query(`declare rows_of_stream no scroll cursor for ${text}`, values);
  for (;;) {
    const rows = await snapshot.query<Row>(`fetch ${ROWS_AT_ONCE} from rows_of_stream`);
    yield rows;
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await snapshot.query('close rows_of_stream');
}

import type { Database, Queryable } from './database.ts';

/** Sorting a large shop's whole history takes longer than what other statements may. */
const TIMEOUT = '120s';

/** Everything that `work` reads is of one moment. Nothing can be written. */
export async function readSnapshot<Result>(
  db: Database,
  work: (snapshot: Queryable) => Promise<Result>,
): Promise<Result> {
  const { also, close } = await openSnapshot(db);
  try {
    return await work(also);
  } finally {
    await close();
  }
}

/** The same for a reader that takes its time: it holds a connection until it is closed. */
export async function openSnapshot(db: Database): Promise<{ also: Queryable; close(): Promise<void> }> {
  const client = await db.pool.connect();
  let last: Promise<unknown> = Promise.resolve();
  const also: Queryable = {
    // A connection runs one statement after the other, however many come at once.
    query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      const answer = last.then(async () => (await client.query(text, [...values])).rows as Row[]);
      last = answer.catch(() => {});
      return answer;
    },
  };
  async function close() {
    await last;
    let failure: Error | undefined;
    await client.query('rollback').catch((error: Error) => {
      failure = error;
    });
    client.release(failure);
  }
  try {
    await also.query('begin isolation level repeatable read, read only');
    await also.query(`set local statement_timeout = '${TIMEOUT}'`);
  } catch (error) {
    await close();
    throw error;
  }
  return { also, close };
}

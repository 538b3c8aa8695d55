import type { Database } from './database.ts';

/**
 * The same database for work that comes in any number at once: at most `most` of its statements and transactions are under
 * way, in the order in which they came, so that connections are left for everybody else.
 */
export function limited(db: Database, most: number): Database {
  const waiting: (() => void)[] = [];
  let free = most;
  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
  const own: Pick<Database, 'query' | 'transaction'> = {
    query: (text, values) => inTurn(() => db.query(text, values)),
    transaction: (work) => inTurn(() => db.transaction(work)),
  };
  return Object.assign(Object.create(db) as Database, own);
}

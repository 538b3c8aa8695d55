import type { Queryable } from '../../platform/db/database.ts';
import { Memo } from '../../platform/lib/memo.ts';
import type { Scope } from './queries.ts';
import { hasStandings, listTopCustomers, listTopProducts, type Top, type TopTime } from './top-queries.ts';

const TOP = 5;
const KEPT_MS = 60_000;
const MAX_KEPT = 500;

export interface TopAnswer {
  customers: Top[];
  products: Top[];
}

/**
 * The best customers and products of a period. Comparing all customers of very many payments takes long and the answer
 * hardly changes, so for more than `many` payments without standings it is kept for a minute; else it is always as of now.
 */
export class TopLists {
  #many: bigint;
  #kept = new Memo<TopAnswer>(MAX_KEPT, KEPT_MS);

  constructor(many = 10_000n) {
    this.#many = many;
  }

  async read(db: Queryable, scope: Scope, time: TopTime, payments: bigint): Promise<TopAnswer> {
    const isFast = payments <= this.#many || (time.since && (await hasStandings(db, scope, time.since)));
    return isFast ? readTops(db, scope, time) : this.#readKept(db, scope, time);
  }

  #readKept(db: Queryable, scope: Scope, time: TopTime): TopAnswer | Promise<TopAnswer> {
    const key = JSON.stringify([scope, time.spans[0]!.from, time.spans.at(-1)!.to]);
    return this.#kept.read(key, () => readTops(db, scope, time));
  }
}

async function readTops(db: Queryable, scope: Scope, time: TopTime): Promise<TopAnswer> {
  const [customers, products] = await Promise.all([
    listTopCustomers(db, scope, time, TOP),
    listTopProducts(db, scope, time, TOP),
  ]);
  return { customers, products };
}

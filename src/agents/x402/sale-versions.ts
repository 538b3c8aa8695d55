import type { Queryable } from '../../platform/db/database.ts';
import { coalesce } from '../../platform/lib/coalesce.ts';
import { listSaleVersions } from './queries.ts';

/** Changes with everything that the offer of a link or a paywall says, in whatever process; undefined where nothing is sold. */
export type SaleVersionOf = (token: string) => Promise<string | undefined>;

const TOKEN = /^\w{1,200}$/;

/**
 * Asked for every offer, so that none is made of what the seller has changed. Those who ask at the same time share a
 * question, and it is always one that began after they asked.
 */
export function saleVersions(db: Queryable): SaleVersionOf {
  const ask = coalesce<string, { version: string | undefined }>(
    async (tokens) => {
      const rows = await listSaleVersions(db, [...new Set(tokens)]);
      const versions = new Map(rows.map(({ token, version }) => [token, version]));
      return tokens.map((token) => ({ version: versions.get(token) }));
    },
    { maxBatch: 200, maxInFlight: 2 },
  );
  return async (token) => (TOKEN.test(token) ? (await ask(token)).version : undefined);
}

import type { Principal } from '../platform/access/principal.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { Expansion, Expansions } from '../platform/http/expand.ts';
import { listBuyers } from './buyer-queries.ts';

/** The buyer, for the CSV of rows that name an intent. Customers belong to billing, so the key must be able to read that. */
export function buyerExpansions<Row>(
  db: Queryable,
  { merchantId, scopes }: Principal,
  idOf: Expansion<Row>['idOf'],
): Expansions<Row> | undefined {
  if (!scopes.includes('billing:read')) return undefined;
  const load = async (ids: string[]) =>
    new Map((await listBuyers(db, merchantId, ids)).map((buyer) => [buyer.intentId, buyer]));
  return { customer: { idOf, load } };
}

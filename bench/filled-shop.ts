import type pg from 'pg';
import { newReferenceAddress } from '../src/platform/lib/base58.ts';
import { type BenchMerchant, createDatabase } from './create-database.ts';
import { fillBilling, type Past } from './fill-billing.ts';
import type { Workshop } from './workshop.ts';

export interface FilledShop {
  db: pg.Client;
  url: string;
  merchants: BenchMerchant[];
  /** Asks the service as this merchant; answers how long that took. */
  read(merchant: { key: string }, path: string): Promise<number>;
}

/** A database of its own on the shared server, with `count` of everything in its past, and a service process on it. */
export async function openFilledShop(
  shop: Workshop,
  data: string,
  {
    database,
    merchants: many,
    count,
    past,
  }: { database: string; merchants: number; count: number; past?: Past },
  fillMore: (db: pg.Client) => Promise<void> = async () => {},
): Promise<FilledShop> {
  const addresses = Array.from({ length: many }, newReferenceAddress);
  const { merchants, env } = await createDatabase(shop, data, database, addresses);
  const db = await shop.connect(data, database);
  await fillBilling(
    db,
    merchants.map(({ id }) => id),
    count,
    past,
  );
  await fillMore(db);
  const service = await shop.startService({ name: database, env });
  return {
    db,
    url: service.url,
    merchants,
    async read({ key }, path) {
      const url = service.url + path;
      const startedMs = performance.now();
      const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      const text = await response.text();
      const ms = performance.now() - startedMs;
      if (response.status !== 200) throw new Error(`${url}: ${text}`);
      return ms;
    },
  };
}

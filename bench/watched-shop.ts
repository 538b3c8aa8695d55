import type pg from 'pg';
import { newReferenceAddress } from '../src/platform/lib/base58.ts';
import { newId } from '../src/platform/lib/ids.ts';
import { type BenchMerchant, createDatabase } from './create-database.ts';
import type { ToPay } from './payer.ts';
import type { Running } from './processes.ts';
import type { Workshop } from './workshop.ts';

/** A service that watches a chain in a process of its own, for merchants with an address each. */
export interface WatchedShop {
  name: string;
  service: Running;
  db: pg.Client;
  /** A second connection, to look on while the first works. */
  onlooker: pg.Client;
  merchants: BenchMerchant[];
  /** Open intents, in turn for each merchant, that expire one after the other over `lifeSeconds`. */
  open(count: number, lifeSeconds: { from: number; to: number }): Promise<ToPay[]>;
  /** Calls to the chain so far. */
  rpcCalls(): Promise<number>;
  callsByMethod(): Promise<Record<string, number>>;
}

export interface WatchedShopSpec {
  data: string;
  name: string;
  merchants: number;
  chain: Running;
  /** Runs before the service does. */
  fill?: (db: pg.Client, merchantIds: string[]) => Promise<void>;
  /** Has the addresses watched, before the service runs; by default each merchant's first intent does. */
  watch?: (db: pg.Client, merchants: readonly BenchMerchant[]) => Promise<void>;
  /** Settings of the service, beyond where its database and its chain are. */
  env?: Record<string, string>;
  profileFolder?: string | undefined;
}

export async function openWatchedShop(shop: Workshop, spec: WatchedShopSpec): Promise<WatchedShop> {
  const { data, name, chain, profileFolder } = spec;
  const addresses = Array.from({ length: spec.merchants }, () => newReferenceAddress());
  const { merchants, env } = await createDatabase(shop, data, name, addresses);
  const db = await shop.connect(data, name);
  await spec.fill?.(
    db,
    merchants.map(({ id }) => id),
  );
  await spec.watch?.(db, merchants);
  const service = await shop.startService({
    name,
    profileFolder,
    env: {
      ...env,
      SOLANA_RPC_URLS: chain.url,
      SOLANA_WS_URL: chain.url.replace('http', 'ws'),
      ...spec.env,
    },
  });
  // The first intent of a merchant, made as anybody makes one, has its address watched.
  if (!spec.watch) for (const { key } of merchants) await createIntent(service.url, key);
  const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
  return {
    name,
    service,
    db,
    onlooker: await shop.connect(data, name),
    merchants,
    open: (count, lifeSeconds) => insertOpen(db, merchants, count, lifeSeconds),
    async rpcCalls() {
      const counts = (await metrics()).matchAll(/^florin_rpc_calls_(?:ok|failed)_total\S* (\d+)/gm);
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    },
    async callsByMethod() {
      const counts = (await metrics()).matchAll(/^florin_rpc_method_calls_total\{method="(\w+)"\} (\d+)/gm);
      return Object.fromEntries([...counts].map(([, method, count]) => [method!, Number(count)]));
    },
  };
}

async function createIntent(url: string, key: string): Promise<void> {
  const response = await fetch(`${url}/api/merchants/intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amountCents: 100, orderId: 'first' }),
  });
  if (!response.ok) throw new Error(`an intent could not be made: ${await response.text()}`);
}

/** Amount of each intent. */
export const CENTS = 1_000;

async function insertOpen(
  db: pg.Client,
  merchants: readonly BenchMerchant[],
  count: number,
  { from, to }: { from: number; to: number },
): Promise<ToPay[]> {
  const now = new Date();
  const intents = Array.from({ length: count }, (_, i) => {
    const { id: merchantId, payoutAddress: destination } = merchants[i % merchants.length]!;
    const lifeMs = 1000 * (from + ((to - from) * (i + 1)) / count);
    const expiresAt = new Date(now.getTime() + lifeMs);
    return {
      id: newId(now),
      merchantId,
      destination,
      reference: newReferenceAddress(),
      cents: CENTS,
      expiresAt,
    };
  });
  await db.query(
    `insert into payment_intents (merchant_id, id, order_id, expected_amount_cents, reference_address,
                                  destination_address, created_at, expires_at)
     select "merchantId", id, id::text, cents, reference, destination, $2, "expiresAt"
       from json_to_recordset($1::json) as i("merchantId" uuid, id uuid, cents bigint, reference text,
                                             destination text, "expiresAt" timestamptz)`,
    [JSON.stringify(intents), now],
  );
  return intents;
}

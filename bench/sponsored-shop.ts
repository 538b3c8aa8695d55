import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { feePayerOf } from '../src/chain/fee-payer/fee-payer.ts';
import { createRpc } from '../src/chain/solana/rpc.ts';
import { text } from '../src/chain/solana/shapes.ts';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import type { Running } from './processes.ts';
import { makeLinks } from './public-link.ts';
import { openWatchedShop, type WatchedShop } from './watched-shop.ts';
import type { Workshop } from './workshop.ts';

export interface SponsoredShop extends WatchedShop {
  chain: Running;
  /** Payment links of its only merchant. */
  urls: string[];
}

const LAMPORTS = 10n ** 15n;
/** Up to ten dollars a confirmed payment is answered; above, a final one. */
const CENTS = 250;
/** A node without a limit of its own: what is measured is the service. */
const CALLS_PER_SECOND = '5000';

/** A shop that pays the network fees of programs, on a chain in a process of its own. */
export async function openSponsoredShop(
  shop: Workshop,
  { slotMs, profileFolder }: { slotMs: number; profileFolder: string | undefined },
): Promise<SponsoredShop> {
  const data = join(shop.folder, 'data');
  const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
  shop.onClose(() => server.stop());
  const chain = await shop.startYardstick('chain.ts', { name: 'chain', env: { SLOT_MS: String(slotMs) } });
  const rpc = createRpc({ urls: [chain.url], maxPerSecond: 100_000 });
  const ask = (method: string, params: unknown[]) =>
    rpc.ask(method, params as never, (value) => text(value, method));
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const bytes = Buffer.concat([Buffer.from(d!, 'base64url'), Buffer.from(x!, 'base64url')]);
  const keyFile = join(shop.folder, 'fee-payer.json');
  await writeFile(keyFile, JSON.stringify([...bytes]), { mode: 0o600 });
  await ask('requestAirdrop', [(await feePayerOf(bytes)).address, LAMPORTS]);
  const watched = await openWatchedShop(shop, {
    ...{ data, name: 'shop', merchants: 1, chain, profileFolder },
    env: {
      FEE_PAYER_KEY_FILE: keyFile,
      FEE_PAYER_MAX_LAMPORTS_PER_DAY: String(LAMPORTS),
      SOLANA_MAX_CALLS_PER_SECOND: CALLS_PER_SECOND,
      RATE_LIMIT_PUBLIC_PER_SECOND: '0',
    },
  });
  const [{ key, payoutAddress }] = watched.merchants as [WatchedShop['merchants'][number]];
  await ask('sandbox_mintTo', [payoutAddress, 1n]);
  const urls = (await makeLinks(watched.service.url, key, CENTS)).map(
    (token) => `${watched.service.url}/pay/${token}`,
  );
  await canSell(urls[0]!);
  return { ...watched, chain, urls };
}

const LOOK_MS = 200;

/**
 * Waits until a sale is possible: the seller's account and the fee payer's balance are remembered from before for
 * some seconds.
 */
async function canSell(url: string): Promise<void> {
  const ask = async () => (await fetch(url, { headers: { accept: 'application/json' } })).headers;
  while (!(await ask()).has('payment-required')) await sleep(LOOK_MS);
}

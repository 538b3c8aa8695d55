import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { Agent, fetch } from 'undici';
import { createMerchant } from '../../src/accounts/merchants/create-merchant.ts';
import { claimAddress } from '../../src/accounts/payouts/claim-address.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import { createMailer } from '../../src/email/mailer.ts';
import { generateKey } from '../../src/platform/access/generate-key.ts';
import type { Scope } from '../../src/platform/access/key.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { ensureInstallation } from '../../src/platform/db/installation.ts';
import { drainServer } from '../../src/platform/http/drain-server.ts';
import type { App } from '../../src/platform/http/route.ts';
import { encodeBase58 } from '../../src/platform/lib/base58.ts';
import { type Clock, systemClock } from '../../src/platform/lib/clock.ts';
import { parseJson } from '../../src/platform/lib/json.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { Metrics } from '../../src/platform/lib/metrics.ts';
import { type SecretBox, secretBox } from '../../src/platform/lib/secret-box.ts';
import { createApp } from '../../src/service/app.ts';
import { openNodes } from '../../src/service/open-nodes.ts';
import type { AppParts } from '../../src/service/shared-parts.ts';
import { cleanUp } from './clean-up.ts';
import { testDatabase } from './database.ts';

export const PAYOUT = '7fUAJdStEuGbc3sM84cKRL6yYaaSstyLSU4ve5oovLS7';

export interface TestService {
  app: App;
  url: string;
  db: Database;
  clock: Clock;
  /** The time of sign-ins, sessions and links. */
  wallClock: Clock;
  secrets: SecretBox;
  config: Config;
  log: string[];
  createMerchant(name?: string, payoutAddress?: string | null): Promise<TestMerchant>;
  /** All that were created so. */
  merchants: TestMerchant[];
}

export interface TestMerchant {
  id: string;
  key: string;
  webhookSecret: string;
  payoutAddress: string | null;
  /** A further key with just these scopes. */
  keyWith(scopes: readonly Scope[], expiresAt?: Date): Promise<string>;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
  body: any;
}

/** The real service over real HTTP on a database of its own. */
export async function testService(
  env: Record<string, string> = {},
  database?: Database,
  sandbox: AppParts['sandbox'] = { wallet: undefined, runDue: async () => {} },
  wallClock: Clock = systemClock(),
  { sponsor, settleWaitMs }: Partial<Pick<AppParts, 'sponsor' | 'settleWaitMs'>> = {},
): Promise<TestService> {
  const db = database ?? (await testDatabase());
  const config = readConfig({ LOG_SAMPLE_EVERY: '1', ...env });
  const log: string[] = [];
  const clock = systemClock();
  const secrets = secretBox(randomBytes(32));
  const { rpc, witnesses } = openNodes(
    { config, log: createLog('silent', () => {}), metrics: new Metrics() },
    config.SOLANA_RPC_URLS,
    false,
  );
  let app: App | undefined = await createApp({
    config,
    db,
    clock,
    wallClock,
    mailer: config.SMTP_URL && createMailer(config.SMTP_URL, config.MAIL_FROM!),
    log: createLog('debug', (line) => log.push(line)),
    metrics: new Metrics(),
    secrets,
    readiness: async () => undefined,
    rpc,
    witnesses,
    sponsor,
    // Slots end by hand here: a second of ours may have hundreds.
    keepBlockhashMs: 0,
    ...(settleWaitMs !== undefined && { settleWaitMs }),
    sandbox: config.FLORIN_NETWORK === 'sandbox' ? sandbox : undefined,
    publicUrl: () => config.PUBLIC_URL ?? 'http://127.0.0.1',
  });
  if (!database) await ensureInstallation(db, config.FLORIN_NETWORK, secrets, clock.now());
  await app.listen({ host: '127.0.0.1', port: Number(env.PORT ?? 0) });
  const address = app.server.address();
  const url = `http://127.0.0.1:${(address as { port: number }).port}`;
  let isFirst = database === undefined;
  const service: TestService = {
    app,
    url,
    db,
    clock,
    wallClock,
    secrets,
    config,
    log,
    merchants: [],
    async createMerchant(name = 'Shop', given?: string | null) {
      const environment = config.environment;
      // An address belongs to one merchant: the first gets the one that tests know by heart.
      const payoutAddress = given === undefined ? (isFirst ? PAYOUT : newAddress()) : given;
      isFirst = false;
      const input = { name, payoutAddress, environment, now: clock.now() };
      const { merchant, key, webhookSecret } = await db.transaction((tx) =>
        createMerchant(tx, secrets, input),
      );
      const shop: TestMerchant = {
        id: merchant.id,
        key: key.raw,
        webhookSecret,
        payoutAddress,
        call: (method, path, body, headers) =>
          call(url + path, method, body, { authorization: `Bearer ${key.raw}`, ...headers }),
        async keyWith(scopes, expiresAt) {
          const ceiling = { scopes, expiresAt: null };
          const minted = await db.transaction((tx) =>
            generateKey(tx, {
              merchantId: merchant.id,
              actor: 'test',
              environment,
              ceiling,
              expiresAt: expiresAt ?? null,
              now: clock.now(),
            }),
          );
          return minted.raw;
        },
      };
      service.merchants.push(shop);
      return shop;
    },
  };
  // A test file keeps its service for as long as its worker lives: of one that has ended, as little as possible may
  // stay.
  cleanUp(async () => {
    await drainServer(app!);
    app = undefined;
    Reflect.deleteProperty(service, 'app');
    log.length = 0;
  });
  return service;
}

/** The address of a wallet whose key nobody keeps. */
export function newAddress(): string {
  const { publicKey } = generateKeyPairSync('ed25519');
  return encodeBase58(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'));
}

/** Sets a merchant's address as another process would have done a moment ago. */
export async function moveTo(db: Database, merchantId: string, address: string): Promise<void> {
  await db.transaction(async (tx) => {
    await claimAddress(tx, { merchantId, address, now: new Date() });
    await tx.query('update merchants set payout_address = $2 where id = $1', [merchantId, address]);
  });
}

/** Gives a merchant an address of another one, as was possible before addresses belonged to one merchant. */
export async function shareAddress(db: Database, merchantId: string, address: string): Promise<void> {
  await db.query(
    `with shared as (
       insert into payout_addresses (merchant_id, address, is_shared, created_at) values ($1, $2, true, now())
       returning merchant_id, address
     )
     update merchants m set payout_address = s.address from shared s where m.id = s.merchant_id`,
    [merchantId, address],
  );
}

/** Connections of their own: once an answer closes its connection, Node's own never keeps one to that server again. */
const CONNECTIONS = new Agent();

/** A JSON call; a string body is sent as it is, and bytes as a file. The answer is read without losing digits. */
export async function call(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const isFile = body instanceof Uint8Array;
  const type = isFile ? 'application/octet-stream' : 'application/json';
  const sent =
    typeof body === 'string' || isFile ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body);
  const response = await fetch(url, {
    dispatcher: CONNECTIONS,
    method,
    headers: { ...(body !== undefined && { 'content-type': type }), ...headers },
    ...(body !== undefined && { body: sent }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? parseJson(text) : undefined,
  };
}

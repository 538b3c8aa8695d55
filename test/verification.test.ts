import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { parseVerificationStatus } from '../src/accounts/merchants/merchant.ts';
import { setVerificationStatus } from '../src/accounts/merchants/verification.ts';
import { newPrice } from './support/billing.ts';
import { call, type TestMerchant, type TestService, testService } from './support/service.ts';

/**
 * Operation of a merchant on mainnet that is not verified: the test walks through every one, so that none is
 * forgotten.
 */
interface Operation {
  method: string;
  path: string;
  isKeyed: boolean;
}

let service: TestService;
let shop: TestMerchant;
let operations: Operation[];
let link: { publicToken: string };

beforeAll(async () => {
  service = await testService({
    FLORIN_NETWORK: 'mainnet',
    SOLANA_RPC_URLS: 'http://127.0.0.1:1',
    RATE_LIMIT_KEY_PER_SECOND: '0',
    RATE_LIMIT_PUBLIC_PER_SECOND: '0',
    RATE_LIMIT_CHECKOUT_PER_MINUTE: '0',
  });
  shop = await service.createMerchant();
  const { body: project } = await shop.call('POST', '/api/v2/projects', { name: 'a' });
  const price = await newPrice(shop, project.id);
  const body = { projectId: project.id, priceId: price.id };
  link = (await shop.call('POST', '/api/v2/payment-links', body)).body;
  const { paths } = (await call(`${service.url}/openapi.json`, 'GET')).body;
  operations = Object.entries<Record<string, { security?: object[] }>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security = [] }]) => ({
      method: method.toUpperCase(),
      path,
      isKeyed: security.some((way) => 'apiKey' in way),
    })),
  );
});

/** Posts that create nothing for the merchant. */
const CREATES_NOTHING = [
  /\/preview-change$/,
  // Money that has arrived already finds its place.
  /^\/api\/v2\/exceptions\//,
  /\/accept$/,
  // And any merchant may refund it.
  /^\/api(\/v2)?\/refunds\b/,
  /^\/api\/b2b\/merchants\/refund-requests\//,
  // Merging customers is possible at any time.
  /\/customers\/\{customerId\}\/merge$/,
  // A note asks nobody for money.
  /^\/api\/v2\/notes$/,
  // Says whether a payment would settle, and writes nothing.
  /^\/x402\/verify$/,
  // Says whether a token is good.
  /^\/api(\/v2)?\/credit-tokens\/verify$/,
  /^\/api\/public\//,
  /^\/api\/portal\//,
  /^\/api\/dashboard\//,
];
/** Beside the creates, what the contract answers with 403. */
const NEEDS_VERIFICATION = [
  'GET /api/b2b/merchants/stats',
  'PATCH /api/b2b/merchants/webhook',
  'GET /api/b2b/merchants/terminals',
  'PATCH /api/b2b/merchants/terminals/{terminalId}',
];

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;
const isCreate = ({ method, path }: Operation) =>
  method === 'POST' && !CREATES_NOTHING.some((pattern) => pattern.test(path));
const ask = ({ method, path }: Operation) =>
  shop.call(
    method,
    path.replace('{publicToken}', link.publicToken).replace(/\{\w+\}/g, randomUUID()),
    method === 'GET' ? undefined : {},
  );

async function become(status: string): Promise<void> {
  const change = { merchantId: shop.id, actor: 'operator', now: service.clock.now() };
  await service.db.transaction((tx) => setVerificationStatus(tx, change, parseVerificationStatus(status)));
  service.app.authenticator.forget(shop.id);
}

test.each(['unverified', 'pending', 'rejected'])(
  '403 MERCHANT_NOT_VERIFIED on stats, webhook, terminals and every create while %s; reads work',
  async (status) => {
    await become(status);
    const refused = operations.filter((one) => isCreate(one) || NEEDS_VERIFICATION.includes(nameOf(one)));
    expect(refused.length).toBeGreaterThan(40);
    for (const operation of refused) {
      const { status: code, body } = await ask(operation);
      expect([nameOf(operation), code, body.error?.code]).toEqual([
        nameOf(operation),
        403,
        'MERCHANT_NOT_VERIFIED',
      ]);
    }
    for (const operation of operations.filter((one) => one.method === 'GET' && one.isKeyed)) {
      if (NEEDS_VERIFICATION.includes(nameOf(operation))) continue;
      expect([nameOf(operation), (await ask(operation)).status]).not.toEqual([nameOf(operation), 403]);
    }
    const page = await fetch(`${service.url}/pay/${link.publicToken}`);
    expect([page.status, (await page.text()).includes('<form')]).toEqual([403, false]);
    await become('verified');
    for (const operation of refused) {
      const answer = await ask(operation);
      expect([nameOf(operation), answer.body?.error?.code]).not.toEqual([
        nameOf(operation),
        'MERCHANT_NOT_VERIFIED',
      ]);
    }
  },
);

test('a change is audited, the same status again is not', async () => {
  const read = () =>
    service.db.query<{ detail: object }>(
      `select detail from audit_entries where merchant_id = $1 and action = 'merchant.verification_changed' order by id desc`,
      [shop.id],
    );
  await become('verified');
  const before = (await read()).length;
  await become('rejected');
  await become('rejected');
  await become('verified');
  const entries = await read();
  expect(entries.length - before).toBe(2);
  expect(entries.slice(0, 2).map(({ detail }) => detail)).toEqual([
    { from: 'rejected', to: 'verified' },
    { from: 'verified', to: 'rejected' },
  ]);
});

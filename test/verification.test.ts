import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { parseVerificationStatus } from '../src/accounts/merchants/merchant.ts';
import { setVerificationStatus } from '../src/accounts/merchants/verification.ts';
import type { RouteDescription } from '../src/platform/http/route.ts';
import { newPrice } from './support/billing.ts';
import { type TestMerchant, type TestService, testService } from './support/service.ts';

/** On mainnet, a merchant that is not verified: walks through every operation, so that none is forgotten. */
let service: TestService;
let shop: TestMerchant;
let operations: readonly RouteDescription[];
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
  operations = service.app.routeDescriptions;
});

const nameOf = ({ method, path }: RouteDescription) => `${method} ${path}`;
const ask = ({ method, path }: RouteDescription) =>
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
  '403 MERCHANT_NOT_VERIFIED on every operation that says so while %s; other reads work',
  async (status) => {
    await become(status);
    const refused = operations.filter(({ errors }) => errors.includes('MERCHANT_NOT_VERIFIED'));
    expect(refused.length).toBeGreaterThan(90);
    for (const operation of refused) {
      const { status: code, body } = await ask(operation);
      expect([nameOf(operation), code, body.error?.code]).toEqual([
        nameOf(operation),
        403,
        'MERCHANT_NOT_VERIFIED',
      ]);
    }
    for (const operation of operations.filter(({ method, scopes }) => method === 'GET' && scopes)) {
      if (refused.includes(operation)) continue;
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

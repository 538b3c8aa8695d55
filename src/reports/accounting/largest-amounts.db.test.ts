import { beforeAll, expect, test } from 'vitest';
import {
  advance,
  bring,
  expectSound,
  newCustomer,
  newPlan,
  newProject,
  newSession,
} from '../../../test/support/billing.ts';
import { newOpenInvoice } from '../../../test/support/manual-invoices.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { arrive } from '../../../test/support/transfers.ts';
import { sumWaived } from '../../intents/stats-queries.ts';
import { MAX_INT64 } from '../../platform/lib/money.ts';

/** Two of the largest amounts add up to more than a column holds; what sums them up says so at its edge. */
let service: TestService;
let shop: TestMerchant;
let projectId: string;

/** Written digit for digit in a body. */
const LARGEST = (JSON as unknown as { rawJSON(text: string): number }).rawJSON(String(MAX_INT64));
const ok = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
  const answer = await shop.call(method, path, body);
  expect([path, answer.status, answer.text]).toEqual([
    path,
    answer.status < 300 ? answer.status : 200,
    answer.text,
  ]);
  return answer;
};

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

async function acceptCent(session: { paymentIntentId: string }) {
  await bring(service, shop, session, 1);
  await ok('POST', `/api/merchants/intents/${session.paymentIntentId}/accept`);
}

test('reports, sums for the operator and suggestions answer', async () => {
  const { id: customerId } = await newCustomer(shop, projectId);
  const plan = await newPlan(shop, projectId, { unitAmountCents: LARGEST, recurringInterval: 'week' });
  for (const externalCustomerId of ['one', 'two']) {
    const lineItems = [{ name: 'Moon', unitAmountCents: LARGEST }];
    await newOpenInvoice({ shop, projectId, customerId }, { lineItems });
    await acceptCent(await newSession(shop, projectId, { amountCents: LARGEST }));
    const subscribed = { mode: 'subscription', priceId: plan.id, externalCustomerId };
    await acceptCent(await newSession(shop, projectId, subscribed));
    await bring(service, shop, await newSession(shop, projectId, { amountCents: LARGEST }), 1);
  }
  expect((await sumWaived(service.db)).cents).toBeGreaterThan(MAX_INT64);
  await arrive(service, shop.id, { baseUnits: 50_000n });
  const { body: listed } = await ok('GET', '/api/v2/exceptions');
  await ok('GET', `/api/v2/exceptions/${listed.data[0].id}/suggestions`);

  const month = service.clock.now().toISOString().slice(0, 7);
  await advance(service, 0.1);
  const range = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
  for (const path of [
    '/api/v2/billing/overview',
    '/api/v2/billing/revenue',
    `/api/v2/general-ledger?${range}`,
    `/api/v2/bank-statement?${range}`,
    `/api/v2/tax-report?${range}&projectId=${projectId}`,
    '/api/b2b/merchants/stats',
    `/api/v2/monthly-report/pdf?month=${month}`,
  ])
    await ok('GET', path);
  const report = await ok('GET', `/api/v2/monthly-report?month=${month}&projectId=${projectId}`);
  expect(report.text).toContain(`"cents":${MAX_INT64},"invoices"`);
  await expectSound(service);
});

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_INT64, saturateInt64 } from '../../src/platform/lib/money.ts';
import {
  bring,
  expectSound,
  newCustomer,
  newLink,
  newPlan,
  newProject,
  newSession,
  newTopUp,
  readSession,
} from '../support/billing.ts';
import { call, type TestMerchant, type TestService, testService } from '../support/service.ts';

/** Sums grow past int64: they stay exact inside, answers stop at the edge, and nothing fails. */
let service: TestService;

beforeAll(async () => {
  service = await testService();
});

const json = (text: string) => text.replace(/"(-?\d+)n"/g, '$1');
/** A body with digits that no double can hold. */
const exact = (fields: Record<string, unknown>) =>
  json(JSON.stringify(fields, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)));

async function balanceOf(customerId: string): Promise<{ credits: bigint; cents: bigint }> {
  const [row] = await service.db.query<{ credits: bigint; cents: bigint }>(
    'select credits, cents from balances where customer_id = $1',
    [customerId],
  );
  return row ?? { credits: 0n, cents: 0n };
}

const MAX_QUANTITY = 1_000_000_000n;

test('two top-ups of the largest size, then usage: taken exactly, and the answers stop at the edge', async () => {
  const shop = await service.createMerchant();
  const project = await newProject(shop, { settings: { usageCredits: { calls: 3 } } });
  const customer = await newCustomer(shop, project.id, { externalCustomerId: 'rich' });
  await topUp(shop, project.id, 'rich', MAX_INT64);
  await topUp(shop, project.id, 'rich', MAX_INT64);
  expect((await balanceOf(customer.id)).credits).toBe(2n * MAX_INT64);
  const usage = { projectId: project.id, metric: 'calls', quantity: 5, customerId: customer.id };
  const answer = await shop.call('POST', '/api/v2/usage', { ...usage, idempotencyKey: 'a' });
  expect([answer.status, answer.body.creditsUsed]).toEqual([200, 15]);
  expect((await balanceOf(customer.id)).credits).toBe(2n * MAX_INT64 - 15n);
  const batch = await shop.call('POST', '/api/v2/usage/batch', {
    records: [
      { ...usage, idempotencyKey: 'b' },
      { ...usage, idempotencyKey: 'c' },
    ],
  });
  expect([batch.status, batch.text]).toEqual([200, batch.text]);
  const read = await shop.call('GET', `/api/v2/customers/${customer.id}`);
  expect(read.body.creditBalance).toBe(MAX_INT64);
  // The other balance has room, however full this one is.
  const adjusted = await shop.call('POST', `/api/v2/customers/${customer.id}/balance-adjustments`, {
    deltaCents: 5,
    reason: 'goodwill',
  });
  expect([adjusted.status, adjusted.body.accountCreditCents]).toEqual([201, 5]);
  expect((await shop.call('GET', '/api/v2/billing/overview')).body.creditsOutstanding).toBe(MAX_INT64);
  await expectSound(service);
});

async function topUp(shop: TestMerchant, projectId: string, externalCustomerId: string, credits: bigint) {
  const { id: priceId } = await prices(shop, projectId, credits);
  const session = await newSession(shop, projectId, { mode: 'balance_top_up', priceId, externalCustomerId });
  await bring(service, shop, session, 1);
}

const made = new Map<string, Promise<{ id: string }>>();
function prices(shop: TestMerchant, projectId: string, credits: bigint): Promise<{ id: string }> {
  const name = `${projectId} ${credits}`;
  const price = made.get(name) ?? newTopUpOf(shop, projectId, credits);
  made.set(name, price);
  return price;
}

async function newTopUpOf(shop: TestMerchant, projectId: string, credits: bigint) {
  const { productId } = await newTopUp(shop, projectId);
  const fields = { projectId, productId, unitAmountCents: 1, billingMode: 'balance_top_up' };
  const answer = await shop.call('POST', '/api/v2/prices', exact({ ...fields, creditAmount: credits }));
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body;
}

describe('whatever is done at the edges', () => {
  const EDGES = [1n, 2n, MAX_QUANTITY, MAX_INT64 / 2n, MAX_INT64 - 1n, MAX_INT64];
  const edge = fc.constantFrom(...EDGES);
  const operation = fc.oneof(
    fc.record({ kind: fc.constant('top up' as const), amount: edge }),
    fc.record({
      kind: fc.constantFrom('adjust credits' as const, 'adjust cents' as const),
      amount: fc.oneof(
        edge,
        edge.map((amount) => -amount),
        fc.constant(-MAX_INT64 - 1n),
      ),
    }),
    fc.record({
      kind: fc.constant('use' as const),
      amount: fc.constantFrom(1n, 2n, MAX_QUANTITY),
      metric: fc.constantFrom('small', 'large'),
    }),
  );
  const RATES: Record<string, bigint> = { small: 1n, large: 1_000_000_000n };

  test('both balances are exact, refusals change nothing, and nothing answers 500', async () => {
    const shop = await service.createMerchant();
    const created = await shop.call(
      'POST',
      '/api/v2/projects',
      exact({ name: 'Edges', settings: { usageCredits: RATES, lowBalanceCredits: MAX_INT64 - 1n } }),
    );
    expect([created.status, created.text]).toEqual([201, created.text]);
    const projectId = created.body.id;
    let [runs, keys] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (operations) => {
        const externalCustomerId = `edge-${runs++}`;
        const { id: customerId } = await newCustomer(shop, projectId, { externalCustomerId });
        const model = { credits: 0n, cents: 0n };
        const adjust = async (field: 'deltaCredits' | 'deltaCents', amount: bigint) => {
          const path = `/api/v2/customers/${customerId}/balance-adjustments`;
          const answer = await shop.call('POST', path, exact({ [field]: amount, reason: 'edge' }));
          const which = field === 'deltaCredits' ? 'credits' : 'cents';
          const after = model[which] + amount;
          const isTooMuch = amount > 0n && after > MAX_INT64;
          expect(answer.status).toBe(after < 0n ? 402 : isTooMuch ? 409 : 201);
          if (answer.status === 201) model[which] = after;
        };
        for (const { kind, amount, ...more } of operations) {
          if (kind === 'top up') {
            await topUp(shop, projectId, externalCustomerId, amount);
            model.credits += amount;
          } else if (kind === 'use') {
            const { metric } = more as { metric: string };
            const body = {
              projectId,
              metric,
              quantity: Number(amount),
              customerId,
              idempotencyKey: `${keys++}`,
            };
            const cost = amount * RATES[metric]!;
            const answer = await shop.call('POST', '/api/v2/usage', body);
            expect(answer.status).toBe(cost > model.credits ? 402 : 200);
            if (answer.status === 200) model.credits -= cost;
          } else await adjust(kind === 'adjust credits' ? 'deltaCredits' : 'deltaCents', amount);
          expect(await balanceOf(customerId)).toEqual(model);
        }
        const { body } = await shop.call('GET', `/api/v2/customers/${customerId}`);
        expect([BigInt(body.creditBalance), BigInt(body.accountCreditCents)]).toEqual([
          saturateInt64(model.credits),
          saturateInt64(model.cents),
        ]);
        for (const path of [
          `/api/v2/customers/${customerId}/balance-entries?limit=100`,
          `/api/v2/usage?projectId=${projectId}`,
          '/api/v2/billing/overview',
          '/api/b2b/merchants/stats',
          `/api/v2/events?limit=100`,
        ])
          expect([path, (await shop.call('GET', path)).status]).toEqual([path, 200]);
      }),
      { numRuns: 40 },
    );
    await expectSound(service);
  });
});

test('open invoices, limits and links at the edge: lists, overview and search answer', async () => {
  const shop = await service.createMerchant();
  const projectId = (
    await shop.call('POST', '/api/v2/projects', exact({ name: 'Limits', monthlyVolumeLimitCents: MAX_INT64 }))
  ).body.id;
  const session = exact({ projectId, mode: 'one_time', amountCents: MAX_INT64 });
  expect((await shop.call('POST', '/api/v2/checkout-sessions', session)).status).toBe(201);
  expect((await shop.call('POST', '/api/v2/checkout-sessions', session)).body.error.code).toBe(
    'PROJECT_VOLUME_LIMIT_EXCEEDED',
  );
  const { paymentLink } = await newLink(shop, projectId, {});
  const url = `${service.url}/api/v2/payment-links/${paymentLink.publicToken}/checkout`;
  expect((await call(url, 'POST', {})).body.error.code).toBe('PROJECT_VOLUME_LIMIT_EXCEEDED');
  const set = (monthlyVolumeLimitCents: bigint | null) =>
    shop.call('PATCH', `/api/v2/projects/${projectId}`, exact({ monthlyVolumeLimitCents }));
  await set(null);
  for (let n = 0; n < 2; n++)
    expect((await shop.call('POST', '/api/v2/checkout-sessions', session)).status).toBe(201);
  expect((await set(MAX_INT64)).status).toBe(200);
  const { limits, openInvoicesCents } = (await shop.call('GET', '/api/v2/billing/overview')).body;
  expect([limits[0].volumeCents, openInvoicesCents]).toEqual([MAX_INT64, MAX_INT64]);
  const plan = exact({
    projectId,
    productId: (await newPlan(shop, projectId)).productId,
    unitAmountCents: MAX_INT64,
    billingMode: 'subscription',
    recurringInterval: 'day',
  });
  expect((await shop.call('POST', '/api/v2/prices', plan)).status).toBe(201);
  for (const path of ['/api/v2/invoices', '/api/v2/checkout-sessions', `/api/v2/search?q=${MAX_INT64}`])
    expect([path, (await shop.call('GET', path)).status]).toEqual([path, 200]);
  await expectSound(service);
});

test('volume of many large successes: the stats stop at the edge', async () => {
  const shop = await service.createMerchant();
  const projectId = (await newProject(shop)).id;
  const sessions = await Promise.all([1, 2].map(() => newSession(shop, projectId, { amountCents: 1 })));
  for (const { id } of sessions) await bring(service, shop, await readSession(shop, id), MAX_INT64 / 10_000n);
  const { totalVolumeCents } = (await shop.call('GET', '/api/b2b/merchants/stats')).body;
  expect(BigInt(totalVolumeCents)).toBe(2n * (MAX_INT64 / 10_000n));
  await expectSound(service);
});

import { expect, test } from 'vitest';
import { expectSound, newPlan, readSubscription } from '../../../test/support/billing.ts';
import { days, invoicesOf, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { examine } from '../../operations/doctor/doctor.ts';
import { createLog } from '../../platform/lib/log.ts';
import { Metrics } from '../../platform/lib/metrics.ts';
import { stuckRenewalGauge } from './stuck-gauge.ts';

test('a renewal that cannot be priced is set aside: all others and the clock go on, until it can be', async () => {
  const w = await subscriptionWorld();
  const { shop, service, projectId } = w;
  const lines: string[] = [];
  w.parts.log = createLog('warn', (line) => lines.push(line));
  const plan = await newPlan(shop, projectId);
  const stuck = await w.subscribe(plan.id, 'stuck');
  const other = await w.subscribe(plan.id, 'other');
  const huge = await newPlan(shop, projectId, { unitAmountCents: 5_000_000_000_000_000_000 });
  const path = `/api/v2/subscriptions/${stuck.id}`;
  const change = { priceId: huge.id, prorationBehavior: 'none' };
  expect((await shop.call('PATCH', path, change)).status).toBe(200);
  const seller = { legalName: 'Shop', country: 'DE', taxIds: [] };
  expect((await shop.call('PATCH', `/api/v2/projects/${projectId}`, { seller })).status).toBe(200);
  const rate = { projectId, name: 'All', percent: 100, country: 'DE', isDefault: true };
  const { body: all } = await shop.call('POST', '/api/v2/tax-rates', rate);
  const taxed = { taxBehavior: 'exclusive' };
  expect((await shop.call('PATCH', `/api/v2/prices/${huge.id}`, taxed)).status).toBe(200);

  const metrics = new Metrics();
  const count = stuckRenewalGauge(service.db, metrics);
  const look = async () => {
    const parts = { config: service.config, db: service.db, secrets: service.secrets };
    const findings = await examine({ ...parts, onlyInvariants: false, onFinding: () => {} });
    await count();
    const { ok, detail } = findings.find(({ check }) => check === 'renewals')!;
    return { ok, detail, gauge: /florin_stuck_renewals (\d+)/.exec(metrics.text())?.[1] };
  };
  expect(await look()).toEqual({ ok: true, detail: 'none is set aside', gauge: '0' });

  const { call } = await service.createMerchant();
  const moved = await call('POST', '/api/v2/sandbox/clock', { to: stuck.currentPeriodEnd });
  expect([moved.status, moved.text]).toEqual([200, moved.text]);
  expect(await invoicesOf(shop, other.id)).toHaveLength(2);
  expect(await invoicesOf(shop, stuck.id)).toHaveLength(1);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      ...{ level: 'error', merchantId: shop.id, subscriptionId: stuck.id },
      reason: expect.stringContaining('lineItems must not add up to more than'),
    }),
  ]);
  expect(await look()).toMatchObject({ ok: false, gauge: '1', detail: expect.stringContaining(stuck.id) });

  expect((await shop.call('PATCH', `/api/v2/tax-rates/${all.id}`, { isActive: false })).status).toBe(200);
  await w.moveTo(days(stuck.currentPeriodEnd, 1));
  expect(await invoicesOf(shop, stuck.id)).toHaveLength(2);
  expect((await readSubscription(shop, stuck.id)).renewalCheckoutUrl).toMatch(/cs_/);
  expect(await look()).toEqual({ ok: true, detail: 'none is set aside', gauge: '0' });
  await expectSound(service);
});

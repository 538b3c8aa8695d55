import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newCustomer, newProject } from '../test/support/billing.ts';
import { testDatabase } from '../test/support/database.ts';
import { testService } from '../test/support/service.ts';
import { readConfig } from './config.ts';
import { examine } from './doctor.ts';
import { secretBox } from './platform/lib/secret-box.ts';

test('a payout change that should have taken effect is found', async () => {
  const service = await testService();
  const shop = await service.createMerchant();
  const look = async () => {
    const parts = { config: service.config, db: service.db, secrets: service.secrets };
    const findings = await examine({ ...parts, onlyInvariants: false, onFinding: () => {} });
    return findings.find(({ check }) => check === 'payout changes');
  };
  expect(await look()).toMatchObject({ ok: true });
  const add = (minutes: number) =>
    service.db.query(
      `insert into payout_changes (merchant_id, id, kind, from_delay_hours, delay_hours, requested_by, requested_at, takes_effect_at)
       values ($1, $2, 'delay', 2, 1, 'operator', now() - interval '1 day', now() - make_interval(mins => $3))`,
      [shop.id, randomUUID(), minutes],
    );
  await add(-60);
  expect(await look()).toMatchObject({ ok: true, detail: expect.stringContaining('1 pending') });
  await service.db.query('delete from payout_changes');
  await add(60);
  expect(await look()).toMatchObject({ ok: false, detail: expect.stringContaining(shop.id) });
});

test('an erasure that has not moved for ten minutes is named', async () => {
  const service = await testService();
  const shop = await service.createMerchant();
  const look = async () => {
    const parts = { config: service.config, db: service.db, secrets: service.secrets };
    const findings = await examine({ ...parts, onlyInvariants: false, onFinding: () => {} });
    return findings.find(({ check }) => check === 'customer erasures');
  };
  const { id } = await newCustomer(shop, (await newProject(shop)).id, { name: 'Ada' });
  expect((await shop.call('DELETE', `/api/v2/customers/${id}`)).status).toBe(202);
  expect(await look()).toMatchObject({ ok: true, detail: '1 under way, none stuck' });
  await service.db.query(`update customer_erasures set advanced_at = now() - interval '11 minutes'`);
  expect(await look()).toMatchObject({ ok: false, detail: expect.stringContaining(id) });
});

test.each([
  [true, {}],
  [true, { PUBLIC_URL: 'http://pay.example.com' }],
  [false, { PUBLIC_URL: 'https://pay.example.com' }],
  [true, { PUBLIC_URL: 'https://pay.example.com', TRUST_PROXY: '127.0.0.1' }],
])('the check of the proxy answers %s for %o', async (ok, env) => {
  const db = await testDatabase();
  const findings = await examine({
    config: readConfig(env),
    db,
    secrets: secretBox(randomBytes(32)),
    onlyInvariants: false,
    onFinding: () => {},
  });
  expect(findings.find(({ check }) => check === 'proxy')).toMatchObject({ ok });
});

import { expect, test } from 'vitest';
import { newCustomer, newProject } from '../../../test/support/billing.ts';
import { testService } from '../../../test/support/service.ts';
import { emitEvents } from '../../../test/support/webhooks.ts';
import { Metrics } from '../../platform/lib/metrics.ts';
import { backlogGauges } from './backlog-gauges.ts';

test('what waits is counted, with how long the first of it has been due', async () => {
  const service = await testService();
  const { db, clock } = service;
  const shop = await service.createMerchant();
  const metrics = new Metrics();
  const count = backlogGauges(db, clock, metrics);
  const value = (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics.text())?.[1] ?? Number.NaN);
  await count();
  for (const name of [
    'florin_webhook_deliveries_waiting',
    'florin_webhook_oldest_due_seconds',
    'florin_emails_waiting',
    'florin_emails_oldest_due_seconds',
    'florin_due_renewals',
    'florin_set_aside_work',
    'florin_last_backup_timestamp_seconds',
  ])
    expect([name, value(name)]).toEqual([name, 0]);

  await db.query('delete from undispatched_events');
  const endpoint = { url: 'http://127.0.0.1:1/' };
  expect((await shop.call('POST', '/api/v2/webhook-endpoints', endpoint)).status).toBe(201);
  await emitEvents(db, shop.id);
  const customer = await newCustomer(shop, (await newProject(shop)).id, { email: 'ada@example.com' });
  await db.query(
    `insert into emails (merchant_id, id, project_id, customer_id, kind, number, facts, next_attempt_at, created_at)
     select merchant_id, gen_random_uuid(), project_id, id, 'portal_sign_in', 1, '{}', now() - interval '1 hour', now()
       from customers where id = $1`,
    [customer.id],
  );
  await db.query(`update installation set backed_up_at = '2026-01-31T00:00:00Z'`);
  await db.query(`update webhook_endpoints set claim_at = now() - interval '10 minutes'`);
  await count();
  expect(value('florin_events_waiting')).toBeGreaterThanOrEqual(1);
  expect(value('florin_emails_waiting')).toBe(1);
  expect(value('florin_emails_oldest_due_seconds')).toBeGreaterThanOrEqual(3600);
  expect(value('florin_webhook_oldest_due_seconds')).toBeGreaterThanOrEqual(600);
  expect(value('florin_last_backup_timestamp_seconds')).toBe(Date.UTC(2026, 0, 31) / 1000);
});

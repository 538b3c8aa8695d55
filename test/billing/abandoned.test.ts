import { expect, test } from 'vitest';
import { pruneReservedAmounts } from '../../src/payments/reserved-amounts/prune-reserved-amounts.ts';
import { pruneAbandonedSessions } from '../../src/payments/transfers/prune-abandoned-sessions.ts';
import { waitsForReading } from '../../src/payments/transfers/waits-for-reading.ts';
import { newLink, newProject, readSession } from '../support/billing.ts';
import { testChain } from '../support/chain.ts';
import { call } from '../support/service.ts';

const DAY_SECONDS = 86_400;

test('abandoned checkouts are pruned from an address where nothing else is due, which is then no longer polled', async () => {
  const t = await testChain();
  const { shop, service } = t;
  const projectId = (await newProject(shop)).id;
  const { paymentLink } = await newLink(shop, projectId, { billingMode: 'one_time' });
  const checkOut = async () => {
    const path = `${service.url}/api/v2/payment-links/${paymentLink.publicToken}/checkout`;
    return readSession(shop, (await call(path, 'POST', {})).body.sessionId);
  };
  const sessions = [await checkOut(), await checkOut(), await checkOut()];
  const limited = await shop.call('PATCH', `/api/v2/payment-links/${paymentLink.id}`, { maxPayments: 1 });
  expect(limited.status).toBe(200);
  await t.finalize();
  const pay = await shop.call('POST', '/api/v2/sandbox/payments', {
    paymentIntentId: sessions[0].paymentIntentId,
  });
  expect([pay.status, pay.text]).toEqual([202, pay.text]);
  await t.finalize();
  await t.expire();
  const statuses = async () => {
    const rows = await service.db.query<{ status: string }>(
      'select status from checkout_sessions order by id',
    );
    return rows.map(({ status }) => status);
  };
  expect(await statuses()).toEqual(['complete', 'canceled', 'canceled']);

  const advance = async (days: number) => {
    const advanceSeconds = days * DAY_SECONDS;
    expect((await shop.call('POST', '/api/v2/sandbox/clock', { advanceSeconds })).status).toBe(200);
    const now = service.clock.now();
    // Sessions that were read past once cause no further reading, though nothing has been deleted yet.
    expect(await waitsForReading(service.db, t.merchant.address, now)).toBe(false);
    return pruneAbandonedSessions(service.db, now);
  };
  expect(await advance(30)).toBe(0);
  expect(await advance(34)).toBe(2);
  expect(await statuses()).toEqual(['complete']);
});

test('one that an amount is reserved for stays until its quarantine is over', async () => {
  const t = await testChain();
  const { shop, service } = t;
  const projectId = (await newProject(shop)).id;
  const { paymentLink } = await newLink(shop, projectId, { billingMode: 'one_time' });
  const path = `${service.url}/api/v2/payment-links/${paymentLink.publicToken}/checkout`;
  const { paymentIntentId } = await readSession(shop, (await call(path, 'POST', {})).body.sessionId);
  const asked = await call(`${service.url}/api/public/intents/${paymentIntentId}/reserved-amount`, 'POST');
  expect(asked.status).toBe(200);
  const advance = async (days: number) => {
    const advanceSeconds = days * DAY_SECONDS;
    expect((await shop.call('POST', '/api/v2/sandbox/clock', { advanceSeconds })).status).toBe(200);
    const freed = await pruneReservedAmounts(service.db, service.clock.now());
    return { freed, pruned: await pruneAbandonedSessions(service.db, service.clock.now()) };
  };
  expect(await advance(36)).toEqual({ freed: 0, pruned: 0 });
  expect(await advance(29)).toEqual({ freed: 0, pruned: 0 });
  expect(await advance(2)).toEqual({ freed: 1, pruned: 1 });
});

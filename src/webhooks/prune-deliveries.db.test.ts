import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testService } from '../../test/support/service.ts';
import { dispatchAll, EVERYTHING, emitEvents, setUrl } from '../../test/support/webhooks.ts';
import { checkInvariants } from '../platform/db/invariant.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { webhookInvariants } from './invariants.ts';
import { pruneDeliveries } from './prune-deliveries.ts';
import { recordResults } from './record-results.ts';

test('finished deliveries go after their days, in slices; unfinished ones and all events stay', async () => {
  const { db, createMerchant } = await testService();
  const shop = await createMerchant();
  await setUrl(db, shop.id, 'https://shop.example/');
  const start = new Date('2026-01-01T00:00:00Z');
  const after = (days: number) => new Date(start.getTime() + days * 86_400_000);
  for (let i = 0; i < 5; i++)
    await emitEvents(
      db,
      shop.id,
      Array.from({ length: 500 }, () => randomUUID()),
    );
  await dispatchAll(db, start);
  for (let done = 0; done < 2_400; ) {
    const claims = await claimDeliveries(db, { ...EVERYTHING, usual: Math.min(500, 2_400 - done) }, start);
    const outcome = {
      startedAt: start,
      durationMs: 1,
      httpStatus: 200,
      error: null,
      responseBody: '',
      retryAfterMs: null,
    };
    done += (
      await recordResults(
        db,
        claims.map((claim) => ({ claim, outcome })),
        start,
      )
    ).size;
  }
  await emitEvents(db, shop.id);
  await dispatchAll(db, after(20));

  expect(await pruneDeliveries(db, 30, after(29.99))).toBe(0);
  const pruned = await Promise.all([1, 2, 3].map(() => pruneDeliveries(db, 30, after(30.01))));
  expect(pruned.reduce((sum, count) => sum + count, 0)).toBe(2_400);
  expect(await db.query('select from webhook_deliveries')).toHaveLength(101);
  expect(await db.query('select from events')).toHaveLength(2_501);
  const results = await checkInvariants(db, webhookInvariants);
  expect(results.filter((result) => result.violations.length > 0)).toEqual([]);
});

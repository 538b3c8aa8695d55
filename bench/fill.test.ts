import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ADD_CARTS, MAKE_CATALOG } from './catalog.ts';
import { fillBilling } from './fill-billing.ts';
import { fillIntents } from './fill-intents.ts';
import { fillSubscriptions, MAKE_PLANS } from './fill-subscriptions.ts';
import { withWorkshop } from './workshop.ts';

test('what benches fill tables with still fits them', async () => {
  const filled = await withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    await shop.startService({ name: 'service', env: { FLORIN_DATA: data } });
    const db = await shop.connect(data);
    const { rows: merchants } = await db.query<{ id: string }>('select id from merchants');
    const ids = merchants.map(({ id }) => id);
    await fillBilling(db, ids, 1_000, { days: 90, projectsEach: 2, pricesEach: 0 });
    await fillIntents(db, ids, 100);
    await db.query(MAKE_CATALOG, [2, 10]);
    await db.query(ADD_CARTS);
    await db.query(MAKE_PLANS, [2]);
    await fillSubscriptions(db, 1, 10);
    const { rows } = await db.query(
      `select (select count(*)::int from discounts) as discounts, (select count(*)::int from subscriptions) as subscriptions,
              (select count(*)::int from checkout_sessions) as sessions, (select count(*)::int from payment_intents) as intents`,
    );
    return rows[0];
  });
  expect(filled).toEqual({ discounts: 2, subscriptions: 10, sessions: 1_000, intents: 1_100 });
});

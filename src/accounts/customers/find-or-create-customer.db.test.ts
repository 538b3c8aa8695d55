import { beforeAll, expect, test } from 'vitest';
import { testDatabase, untilBlocked } from '../../../test/support/database.ts';
import type { Database } from '../../platform/db/database.ts';
import { newId } from '../../platform/lib/ids.ts';
import { type FindOrCreateCustomer, findOrCreateCustomer } from './find-or-create-customer.ts';

const now = new Date('2026-11-15T12:00:00Z');
const merchantId = newId(now);
const projectId = newId(now);
let db: Database;

beforeAll(async () => {
  db = await testDatabase();
  await db.query(`insert into merchants (id, webhook_secret, created_at) values ($1, '', now())`, [
    merchantId,
  ]);
  await db.query(
    `insert into projects (merchant_id, id, name, created_at, updated_at) values ($1, $2, 'p', now(), now())`,
    [merchantId, projectId],
  );
});

const take = (input: Partial<FindOrCreateCustomer>) =>
  db.transaction((tx) =>
    findOrCreateCustomer(tx, {
      merchantId,
      projectId,
      externalCustomerId: null,
      email: null,
      emailSource: 'merchant',
      name: null,
      now,
      ...input,
    }),
  );

test('50 at once with one externalCustomerId get one customer, as the first of them made it', async () => {
  const customers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => take({ externalCustomerId: 'u1', name: `name ${i}` })),
  );
  expect(new Set(customers.map((customer) => customer!.id)).size).toBe(1);
  expect(new Set(customers.map((customer) => customer!.name)).size).toBe(1);
  const rows = await db.query(`select from customers where external_customer_id = 'u1'`);
  expect(rows).toHaveLength(1);
});

test('what is known is never overwritten, and comes with its balances', async () => {
  const first = (await take({ externalCustomerId: 'u2', email: 'a@b.c' }))!;
  await db.query('insert into balances (merchant_id, customer_id, credits, cents) values ($1, $2, 7, 9)', [
    merchantId,
    first.id,
  ]);
  const again = await take({ externalCustomerId: 'u2', email: 'other@b.c', name: 'Eve' });
  expect(again).toEqual({ ...first, creditBalance: 7n, accountCreditCents: 9n });
});

test('an e-mail or a name alone makes a new customer each time; nothing at all makes none', async () => {
  const [a, b] = [await take({ email: 'x@y.z' }), await take({ email: 'x@y.z' })];
  expect(a!.id).not.toBe(b!.id);
  const [c, d] = [await take({ name: 'Ann' }), await take({ name: 'Ann' })];
  expect(c!.id).not.toBe(d!.id);
  expect(await take({})).toBeUndefined();
});

test('a second request waits for one that is under way, and gets the same customer', async () => {
  const first = {
    merchantId,
    projectId,
    externalCustomerId: 'u3',
    email: null,
    name: 'first',
    emailSource: 'typed' as const,
    now,
  };
  let second: ReturnType<typeof take> | undefined;
  const made = await db.transaction(async (tx) => {
    const customer = await findOrCreateCustomer(tx, first);
    second = take({ externalCustomerId: 'u3', name: 'second' });
    await untilBlocked(db, second);
    return customer;
  });
  expect(await second).toEqual(made);
});

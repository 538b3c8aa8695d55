import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { fillTables } from '../../../test/support/rows.ts';
import type { Database } from '../../platform/db/database.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { readMigrations } from '../../platform/db/migrations.ts';

const FIRST = (await readMigrations()).find(({ name }) => name === 'email_sources')!.number;

/** A customer who bought by a link, with the ids of their merchant and project. */
interface Buyer {
  merchantId: string;
  projectId: string;
  id: string;
}

async function findBuyer(db: Database): Promise<Buyer> {
  const [buyer] = await db.query<Buyer>(
    `select merchant_id as "merchantId", project_id as "projectId", customer_id as id from checkout_sessions
      where origin = 'link' and customer_id is not null`,
  );
  return buyer!;
}

/** Adds a customer as the release before does. */
const add = (db: Database, { merchantId, projectId }: Buyer, email: string | null, externalId?: string) =>
  db.query(
    `insert into customers (merchant_id, project_id, id, email, external_customer_id, created_at)
     values ($1, $2, gen_random_uuid(), $3, $4, now())`,
    [merchantId, projectId, email, externalId ?? null],
  );

/** Changes an e-mail address as the release before does. */
const change = (db: Database, email: string, to: string | null, isOwn: boolean) =>
  db.query(
    `update customers set email = $2, is_email_own = case when email is distinct from $2 then $3 else is_email_own end
      where email = $1`,
    [email, to, isOwn],
  );

const sources = async (db: Database) =>
  Object.fromEntries(
    (
      await db.query<{ email: string; source: string }>(
        'select email, email_source as source from customers where email is not null',
      )
    ).map(({ email, source }) => [email, source]),
  );

test('what buyers, wallets and customers typed stays typed; the merchant has set the rest', async () => {
  const db = await testDatabase({ template: 'template0' });
  await migrate(db, FIRST - 1);
  await fillTables(db);
  const buyer = await findBuyer(db);
  await db.query(`update customers set email = 'link@x.example' where id = $1`, [buyer.id]);
  await add(db, buyer, 'key@x.example', 'u1');
  await add(db, buyer, 'wallet@x.example', 'solana:abc');
  await add(db, buyer, 'portal@x.example');
  await db.query(`update customers set is_email_own = true where email = 'portal@x.example'`);
  await add(db, buyer, null);
  await migrate(db);
  expect(await sources(db)).toEqual({
    'link@x.example': 'typed',
    'key@x.example': 'merchant',
    'wallet@x.example': 'typed',
    'portal@x.example': 'typed',
  });
});

test('a buyer whom the merchant already knew by this address keeps it as the merchant set it', async () => {
  const db = await testDatabase({ template: 'template0' });
  await migrate(db, FIRST - 1);
  await fillTables(db);
  const buyer = await findBuyer(db);
  await db.query(
    `update customers set email = 'known@x.example', created_at = created_at - interval '1 day' where id = $1`,
    [buyer.id],
  );
  await migrate(db);
  expect(await sources(db)).toEqual({ 'known@x.example': 'merchant' });
});

test('what the release before adds is typed; whose change it was, it says itself', async () => {
  const db = await testDatabase();
  await fillTables(db);
  const buyer = await findBuyer(db);
  await db.query('update customers set email = null, email_source = null');
  await add(db, buyer, 'new@x.example');
  expect(await sources(db)).toEqual({ 'new@x.example': 'typed' });
  await change(db, 'new@x.example', 'by-key@x.example', false);
  expect(await sources(db)).toEqual({ 'by-key@x.example': 'merchant' });
  await change(db, 'by-key@x.example', 'by-key@x.example', true);
  expect(await sources(db)).toEqual({ 'by-key@x.example': 'merchant' });
  await change(db, 'by-key@x.example', 'own@x.example', true);
  expect(await sources(db)).toEqual({ 'own@x.example': 'typed' });
  await change(db, 'own@x.example', null, false);
  await add(db, buyer, 'erased@x.example');
  await db.query(`update customers set email = null, erased_at = now() where email = 'erased@x.example'`);
  expect(await db.query('select from customers where email_source is not null')).toEqual([]);
});

test('the database refuses an address without a source, a source without an address, and other sources', async () => {
  const db = await testDatabase();
  await fillTables(db);
  for (const set of ['email_source = null', 'email = null', `email_source = 'guessed'`])
    await expect(db.query(`update customers set ${set} where email is not null`)).rejects.toThrow(
      /email_sourced?_check/,
    );
});

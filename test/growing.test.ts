import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Database } from '../src/platform/db/database.ts';
import { CROSS_MERCHANT } from './support/cross-merchant.ts';
import { ofOneMerchant } from './support/one-merchant.ts';
import { isOfOneMerchant, readTables } from './support/schema-rules.ts';
import { objectionsTo } from './support/statement-rules.ts';
import { listStatements } from './support/statements.ts';

/*
 * Conditions under which merchants can be spread over several installations, each with a database of its own, and a
 * single merchant can move between them. ARCHITECTURE.md, “Growing”, gives the reasons.
 */

const root = join(import.meta.dirname, '..');
const tables = readTables(readFileSync(join(root, 'migrations/schema.sql'), 'utf8'));

/** Tables whose rows belong to no merchant, and why. */
const GLOBAL = {
  installation: 'the one row about this installation',
  merchants: 'named by their own id',
  schema_migrations: 'of the database itself',
  // Events of the chain at an address. An address changes hands, and two merchants may once have shared one.
  incoming_transfers: 'of an address on the chain',
  unreadable_transactions: 'of an address on the chain',
  node_disagreements: 'of nodes of the chain',
  // The member is known only after signing in.
  passkey_challenges: 'a registration has a merchant, a sign-in none yet',
  sign_in_attempts: 'by e-mail or network address',
  // The fees of one wallet, for all merchants.
  sponsor_days: 'of the fee sponsor',
  sponsor_low: 'of the fee sponsor',
  account_sweep: 'how far a job has come',
};

/** Unique keys without the merchant: each is how somebody who cannot name a merchant is found. */
const DIRECTORY = {
  api_keys_by_hash: 'credential',
  dashboard_sessions_by_token: 'credential',
  member_links_by_token: 'credential',
  passkeys_by_credential: 'credential',
  portal_email_changes_by_token: 'credential',
  portal_sessions_by_cookie: 'credential',
  portal_sessions_by_token: 'credential',
  refunds_by_claim_token: 'credential',
  tills_by_code: 'credential',
  tills_by_key: 'credential',
  checkout_sessions_by_token: 'address of a page',
  payment_links_by_token: 'address of a page',
  paywalls_by_token: 'address of a page',
  payment_intents_by_id: 'address of a page',
  terminals_by_id: 'address of a page',
  webhook_endpoints_pkey: 'deliveries are claimed by endpoint, for all merchants at once',
  payment_intents_by_reference: 'named on the chain',
  refunds_by_reference: 'named on the chain',
  reserved_amounts_by_amount: 'named on the chain: an amount at an address is of one order',
  payout_addresses_by_address: 'named on the chain: an address has one owner',
  watched_accounts_pkey: 'named on the chain: an address has one owner',
  sponsored_transactions_pkey: 'named on the chain',
  sponsored_transactions_message_hash_key: 'named on the chain',
  undispatched_events_pkey: 'a queue of all merchants, in the order written',
};

/** Foreign keys that do not include the merchant on both sides. */
const FOREIGN = {
  // Both are about an address, whose owner can change.
  incoming_transfers_destination_fkey: 'of an address on the chain',
  unreadable_transactions_destination_fkey: 'of an address on the chain',
  // One transfer can pay intents of two merchants who once shared the address.
  payment_allocations_signature_destination_fkey: 'of an address on the chain',
};

/** Numbers that all merchants draw from one source: this list only gets shorter. */
const NUMBERED = {
  // Orders what is queued and delivered. What merchants follow has positions of their own.
  'events.ordinal': 'the order of dispatch',
};

test('every table says whose its rows are, or is of the installation', () => {
  expect(tables.length).toBeGreaterThan(70);
  expect(tables.filter(({ isTenants }) => !isTenants).map(({ name }) => name)).toEqual(
    Object.keys(GLOBAL).toSorted(),
  );
});

test('every unique key includes the merchant, or is how somebody is found who cannot name one', () => {
  const without = tables
    .filter(({ isTenants }) => isTenants)
    .flatMap(({ uniqueKeys }) => uniqueKeys)
    .filter(({ columns }) => !columns.includes('merchant_id'));
  expect(without.map(({ name }) => name).toSorted()).toEqual(Object.keys(DIRECTORY).toSorted());
});

test('every foreign key from or to a merchant’s row includes the merchant on both sides', () => {
  const strange = tables.flatMap(({ name, isTenants, foreignKeys }) =>
    foreignKeys.filter(
      (key) =>
        (isTenants || tables.find((table) => table.name === key.target)!.isTenants) &&
        !isOfOneMerchant(name, key),
    ),
  );
  expect(strange.map(({ name }) => name).toSorted()).toEqual(Object.keys(FOREIGN).toSorted());
});

test('merchants share no counter, and no row has the number of a transaction', () => {
  const numbered = tables.flatMap(({ name, globalNumbers }) =>
    globalNumbers.map((column) => `${name}.${column}`),
  );
  expect(numbered).toEqual(Object.keys(NUMBERED));
});

const schema = {
  tenants: new Set(tables.filter(({ isTenants }) => isTenants).map(({ name }) => name)),
  directory: new Map(
    tables.map(({ name, uniqueKeys }) => [
      name,
      uniqueKeys.flatMap((key) => (key.name in DIRECTORY && !isPlace(key.name) ? key.columns : [])),
    ]),
  ),
};

/** The place in a queue says nothing about a merchant. */
function isPlace(key: string): boolean {
  return key.startsWith('undispatched_events_');
}

/** Functions whose statement depends on one of a few names: each is tested with a database. */
const UNREADABLE = [
  'accounts/projects/owner-queries.ts findOwner',
  'operations/secret-keys/queries.ts updateSealed',
  'payments/refunds/check-queries.ts claimRefundChecks',
  'operations/moving/content-queries.ts createOwnTables',
];

test('every statement names the merchant of each table in it, or works for all and is listed', async () => {
  const statements = (await listStatements()).filter(({ of }) => !UNREADABLE.includes(of));
  expect(statements.length).toBeGreaterThan(700);
  const objected = new Map(
    statements
      .map(({ of, text }) => [of, objectionsTo(text, schema)] as const)
      .filter(([, objections]) => objections.length > 0),
  );
  const unlisted = [...objected].filter(([of]) => !CROSS_MERCHANT.includes(of));
  expect(unlisted).toEqual([]);
  expect(CROSS_MERCHANT.filter((of) => !objected.has(of))).toEqual([]);
});

test('no statement names a row by where PostgreSQL keeps it, or by who wrote it', () => {
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] });
  const named = files.filter((file) =>
    /\b(ctid|xmin|xmax|xid8?|pg_current_xact_id|pg_snapshot_\w+)\b/.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  );
  expect(named.toSorted()).toEqual([
    // A merchant that leaves this database: whether anything is still being written in it.
    'src/accounts/merchants/closing-queries.ts',
    // It is about the cluster itself: whether anything was written since.
    'src/platform/db/high-water-mark.ts',
    // Leases of deliveries name rows that the same statement has just found. By key, the few runs that were compared, on a
    // busy machine, took longer, and why is not known.
    'src/webhooks/lease-queries.ts',
  ]);
});

test('the guard of statements objects to what it should', () => {
  const shop = { tenants: new Set(['a', 'b']), directory: new Map([['a', ['token', 'uuid_send(id)']]]) };
  const why = (text: string) => objectionsTo(text, shop).join();
  for (const fine of [
    'select from a where merchant_id = $1',
    'select from a join b on b.merchant_id = a.merchant_id where $1 = a.merchant_id',
    'select from a join b using (merchant_id, id) where b.merchant_id = any($1::uuid[])',
    'select from a where token = $1 and exists (select from b where b.merchant_id = a.merchant_id)',
    'select from a where uuid_send(a.id) = uuid_send($1)',
    'select from unnest($1::uuid[]) as m(id) join a on a.merchant_id = m.id',
    'with found as (select * from a where merchant_id = $1) delete from b using found f where b.merchant_id = f.merchant_id',
    'update a set x = 1 where (merchant_id, id) in (select merchant_id, id from b where merchant_id = $1)',
    'select from merchants m join a on a.merchant_id = m.id where m.id = $1',
    'insert into a (merchant_id) values ($1)',
    'select from merchants',
  ])
    expect([fine, why(fine)]).toEqual([fine, '']);
  expect(why('select from a where id = $1')).toBe('a');
  expect(why('select from a where merchant_id = $1 or id = $2')).toBe('a');
  expect(why('select from a where merchant_id <> $1')).toBe('a');
  expect(why('select from a, b where a.merchant_id = $1')).toBe('b');
  expect(why('select from a join b on b.merchant_id = a.id where a.merchant_id = $1')).toBe('b');
  expect(why('select (select count(*) from b) from a where merchant_id = $1')).toBe('b');
  expect(
    why(
      'with due as (select * from b limit 1 for update) delete from a using due where a.merchant_id = due.merchant_id',
    ),
  ).toBe('a,b');
  expect(why('select ctid from a where merchant_id = $1')).toBe('ctid');
});

test('a transaction that names two merchants is refused under test', async () => {
  const tx = { inTransaction: true, queuesEmails: false, query: async () => [] };
  const fake = () =>
    ({
      transaction: (work: (given: unknown) => unknown) => work(tx),
      withPatience: fake,
    }) as unknown as Database;
  const run = (...texts: string[]) =>
    ofOneMerchant(fake(), () => 'a/b.ts c')
      .withPatience(1)
      .transaction(async ({ query }) => {
        for (const [i, text] of texts.entries()) await query(text, [`merchant ${i}`, 'merchant 0']);
      });
  await run('select from a where merchant_id = $1', 'select from b where b.merchant_id = $2 and id = $1');
  await expect(
    run('select from a where merchant_id = $1', 'insert into b (merchant_id, id) values ($1, 1)'),
  ).rejects.toThrow('a/b.ts c: a transaction of 2 merchants');
});

test('the guard itself objects to what it should', () => {
  const [, notes] = readTables(`
create table shops (
  id uuid not null,
  constraint shops_pkey PRIMARY KEY (id)
);

create table notes (
  merchant_id uuid not null,
  id bigint generated by default as identity not null,
  number xid8 not null,
  shop_id uuid,
  place bigint default nextval('places') not null,
  constraint notes_pkey PRIMARY KEY (merchant_id, id),
  constraint notes_shop_fkey FOREIGN KEY (merchant_id, shop_id) REFERENCES shops(id, merchant_id),
  constraint notes_merchant_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE UNIQUE INDEX notes_by_text ON notes USING btree (lower(text), id) WHERE text IS NOT NULL;
`);
  expect(notes).toMatchObject({
    isTenants: true,
    uniqueKeys: [
      { name: 'notes_pkey', columns: ['merchant_id', 'id'] },
      { name: 'notes_by_text', columns: ['lower(text)', 'id'] },
    ],
    globalNumbers: ['id', 'number', 'place'],
  });
  expect(notes!.foreignKeys.map((key) => isOfOneMerchant('notes', key))).toEqual([false, true]);
});

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { type PlainExport, packExport, readExport } from '../../../test/support/altered-export.ts';
import { newCustomer, newProject } from '../../../test/support/billing.ts';
import type { TestChain } from '../../../test/support/chain.ts';
import {
  checkContents,
  close,
  exported,
  NEW_URL,
  opened,
  PLACE,
  twoInstallations,
} from '../../../test/support/moving.ts';
import { newIntent, payIntent } from '../../../test/support/payments.ts';
import { newAddress } from '../../../test/support/service.ts';
import { dispatchEvents } from '../../webhooks/dispatch-events.ts';
import { importMerchant } from './import-merchant.ts';

/** A merchant with a payment and a summary leaves; what arrives was altered on the way. */
let target: TestChain;
let plain: Buffer;

beforeAll(async () => {
  const moving = await twoInstallations();
  const { source } = moving;
  ({ target } = moving);
  await payIntent(source, await newIntent(source.shop));
  await source.finalize();
  await newIntent(source.shop);
  await newCustomer(source.shop, (await newProject(source.shop)).id, {
    email: 'ada@example.com',
    address: { line1: 'Street 1', city: 'Town' },
    country: 'DE',
    taxIds: [{ type: 'other', value: 'DE 1' }],
  });
  const { db, clock } = source.service;
  await dispatchEvents(db, { slots: 0, usual: 0, known: new Map() }, 500, clock.now());
  await close(source);
  plain = gunzipSync(await buffer(opened(await exported(source))));
});

async function imported(change: (file: PlainExport) => void): Promise<void> {
  const file = readExport(plain);
  change(file);
  const { db, secrets, clock } = target.service;
  const parts = { ...PLACE, checkContents, db, secrets, publicUrl: NEW_URL, now: clock.now() };
  await importMerchant(parts, Readable.from([await packExport(file)]));
}

function set(file: PlainExport, table: string, column: string, value: string): void {
  const { columns, rows } = file.tables.find(({ name }) => name === table)!;
  const place = columns.indexOf(column);
  const changed = rows
    .split('\n')
    .slice(0, -1)
    .map((row) => {
      const values = row.split('\t');
      values[place] = value;
      return `${values.join('\t')}\n`;
    });
  expect(changed.length).toBeGreaterThan(0);
  file.tables.find(({ name }) => name === table)!.rows = changed.join('');
}

test.each<[string, string, string, RegExp]>([
  ['watched_accounts', 'account', 'x', /watched_accounts \(account\)/],
  ['watched_accounts', 'account', newAddress(), /watched_accounts \(account\)/],
  ['watched_accounts', 'cursor_signature', 'x', /watched_accounts \(cursor_signature\)/],
  ['watched_accounts', 'cursor_signature', '1'.repeat(70), /watched_accounts \(cursor_signature\)/],
  ['watched_accounts', 'watch_until', '294276-01-01 00:00:00+00', /watched_accounts \(watch_until\).*2100/],
  ['payment_intents', 'created_at', '1000-01-01 00:00:00+00', /payment_intents \(created_at\).*2000/],
  ['payment_intents', 'expires_at', 'infinity', /payment_intents \(expires_at\).*2100/],
  ['incoming_transfers', 'seen_at', '2099-12-31 00:00:00+00', /\(seen_at\).*in the future/],
  ['watched_accounts', 'read_through', '2099-12-31 00:00:00+00', /\(read_through\).*in the future/],
  ['watched_accounts', 'listed_through', '2099-12-31 00:00:00+00', /\(listed_through\).*in the future/],
  ['watched_accounts', 'last_read_at', '2099-12-31 00:00:00+00', /\(last_read_at\).*in the future/],
  ['watched_accounts', 'proven_balance', 'NaN', /watched_accounts \(proven_balance\).*number/],
  ['incoming_transfers', 'balance_after', 'NaN', /incoming_transfers \(balance_after\).*number/],
  ['incoming_transfers', 'balance_before', 'NaN', /incoming_transfers \(balance_before\).*number/],
  ['watched_accounts', 'cursor_slot', '-9223372036854775808', /\(cursor_slot\).*number/],
  ['watched_accounts', 'proven_slot', '9223372036854775807', /\(proven_slot\).*number/],
  ['incoming_transfers', 'slot', '9223372036854775807', /incoming_transfers \(slot\).*number/],
  ['event_counters', 'last_position', '9223372036854775807', /\(last_position\).*number/],
  ['event_counters', 'pruned_position', '-9223372036854775808', /\(pruned_position\).*number/],
  ['projects', 'last_invoice_number', '9223372036854775807', /\(last_invoice_number\).*number/],
  ['payment_intents', 'sequence', '2147483647', /payment_intents \(sequence\).*number/],
  ['webhook_endpoints', 'event_types', '{NULL}', /\(event_types\).*no list/],
  ['payment_intents', 'payer_address', 'O0Il', /payment_intents \(payer_address\)/],
  ['merchants', 'time_zone', 'Nowhere/At all', /time zone/],
  ['merchants', 'webhook_url', 'not a url', /url/],
  ['merchants', 'webhook_url', 'javascript:alert(1)', /webhook_url/],
  ['merchants', 'webhook_url', 'file:///etc/passwd', /webhook_url/],
  ['api_keys', 'allowed_addresses', '{x}', /\(allowed_addresses\).*no IP address/],
  ['projects', 'seller', '{"legalName": 5}', /projects \(seller\)/],
  ['events', 'body', '{', /events.*no JSON/],
  ['events', 'body', '5', /events \(body\)/],
  ['customers', 'tax_ids', '{}', /customers \(tax_ids\)/],
  ['customers', 'tax_ids', '[{"type": 5, "value": "x"}]', /customers \(tax_ids\)/],
  ['customers', 'address', '5', /customers \(address\)/],
  ['customers', 'address', '{"line1": {}}', /customers \(address\)/],
  ['customers', 'email', 'a@b.example\\nBcc: c@d.example', /customers \(email\)/],
  ['projects', 'settings', '{"gracePeriodDays": "x"}', /projects \(settings\)/],
  ['projects', 'settings', '{"agentRefundLimitCents": "x"}', /projects \(settings\)/],
  ['payment_intents', 'received_base_units', '7', /not sound.*[Ii]ntent/],
])('an export whose %s.%s is %j is refused', async (table, column, value, reason) => {
  await expect(imported((file) => set(file, table, column, value))).rejects.toThrow(reason);
});

test.each([
  ['more positions than were given', '7777777777'],
  ['fewer than there are', '0'],
])('a counter of events that says %s', async (_, count) => {
  const change = (file: PlainExport) => set(file, 'event_counters', 'last_position', count);
  await expect(imported(change)).rejects.toThrow(/does not count the merchant’s events/);
});

/** A row more, which nothing refers to, with this id. */
function addRow(file: PlainExport, table: string, id: string): void {
  const { columns, rows } = file.tables.find(({ name }) => name === table)!;
  const values = rows.split('\n')[0]!.split('\t');
  values[columns.indexOf('id')] = id;
  file.tables.find(({ name }) => name === table)!.rows = `${rows}${values.join('\t')}\n`;
}

test('a project with the id of another merchant’s project', async () => {
  const { id } = await newProject(target.shop);
  const change = (file: PlainExport) => addRow(file, 'projects', id);
  await expect(imported(change)).rejects.toThrow(/has an id that is in projects/);
});

test('a key with the id of another merchant’s key', async () => {
  const [key] = await target.service.db.query<{ id: string }>('select id from api_keys limit 1');
  const change = (file: PlainExport) => set(file, 'api_keys', 'id', key!.id);
  await expect(imported(change)).rejects.toThrow(/has an id that is in api_keys/);
});

test('a payment that is looked for at what is no address', async () => {
  const change = (file: PlainExport) => {
    set(file, 'payment_intents', 'reference_check_at', '2026-01-01 00:00:00+00');
    const intents = file.tables.find(({ name }) => name === 'payment_intents')!;
    const own = intents.rows.split('\t')[intents.columns.indexOf('reference_address')]!;
    intents.rows = intents.rows.replace(own, 'z'.repeat(44));
  };
  await expect(imported(change)).rejects.toThrow(/\(reference_address\).*no address/);
});

test.each<[string, () => Promise<string>]>([
  ['the token', async () => PLACE.mint],
  ['a program', async () => 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'],
  ['a payout address here', async () => target.merchant.address],
  ['its token account', async () => target.merchant.usdcAccount],
  ['a customer of another merchant', async () => target.customer.address],
])('a payment whose reference is %s: payments of others would name it', async (_, addressOf) => {
  await payIntent(target, await newIntent(target.shop));
  await target.finalize();
  const reference = await addressOf();
  const change = (file: PlainExport) => {
    const intents = file.tables.find(({ name }) => name === 'payment_intents')!;
    const own = intents.rows.split('\t')[intents.columns.indexOf('reference_address')]!;
    intents.rows = intents.rows.replace(own, reference);
  };
  await expect(imported(change)).rejects.toThrow(/\(reference_address\).*somebody or something/);
});

test('positions of events without a counter', async () => {
  const change = (file: PlainExport) => {
    file.tables.find(({ name }) => name === 'event_counters')!.rows = '';
  };
  await expect(imported(change)).rejects.toThrow(/does not count the merchant’s events/);
});

test('an event more than its object has is refused, with the invariant', async () => {
  const change = (file: PlainExport) => {
    const events = file.tables.find(({ name }) => name === 'events')!;
    const values = events.rows.split('\n')[0]!.split('\t');
    values[events.columns.indexOf('sequence')] = '99';
    values[events.columns.indexOf('id')] = '01900000-0000-7000-8000-00000000ffff';
    events.rows += `${values.join('\t')}\n`;
  };
  await expect(imported(change)).rejects.toThrow(/books are not sound.*invariant/);
});

test('unaltered, it comes, whatever is wrong with others here', async () => {
  const { db } = target.service;
  await db.query(
    `insert into sponsor_days (day, spent_lamports, transactions) values ('2026-01-01', 5, 5) on conflict do nothing`,
  );
  await imported(() => {});
  const shops = await db.query('select id from merchants where webhook_secret is not null');
  expect(shops).toHaveLength(2);
});

import { randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { fillTables } from '../../../test/support/rows.ts';
import { newAddress } from '../../../test/support/service.ts';
import { createMerchant } from '../../accounts/merchants/create-merchant.ts';
import type { Database } from '../../platform/db/database.ts';
import { secretBox } from '../../platform/lib/secret-box.ts';
import { SEALED_TABLES } from '../secret-keys/sealed-tables.ts';
import { decrypted, encryption, unlocking } from '../table-file/encryption.ts';
import { listTables } from '../table-file/list-tables.ts';
import { exportMerchant } from './export-merchant.ts';
import { importMerchant } from './import-merchant.ts';
import { listMovedTables, STAYING_TABLES } from './moved-tables.ts';

const SHOP = '01900000-0000-7000-8000-000000000001';
const PLACE = { network: 'sandbox', mint: 'mint', now: new Date('2026-03-01T00:00:00Z'), onProgress() {} };
/** Rows as awkward as the database allows are no rows that a service writes. */
const UNCHECKED = { checkContents: async () => {} };
const OLD_URL = 'https://old.example';
const NEW_URL = 'https://new.example';
const identity = await generateX25519Identity();
const encrypt = encryption({ recipients: [await identityToRecipient(identity)] });
const unlock = unlocking([identity], undefined);
const sourceSecrets = secretBox(randomBytes(32));
const secrets = secretBox(randomBytes(32));

/** A merchant with a row in every table, beside another one with a shop of its own. */
async function filledSource(): Promise<{ db: Database; other: string }> {
  const db = await testDatabase();
  await fillTables(db);
  for (const { name, columns } of SEALED_TABLES)
    for (const column of columns)
      await db.query(`update ${name} set ${column} = $1 where ${column} is not null`, [
        sourceSecrets.seal(`${name} ${column}`),
      ]);
  await db.query('update webhook_deliveries set ordinal = 1');
  await db.query('update undispatched_events set ordinal = 2');
  await db.query('update webhook_endpoints set settled_through = 2');
  await db.query(`update invoices set checkout_url = $1 where checkout_url is not null`, [`${OLD_URL}/x`]);
  await db.query(`update emails set facts = facts || $1`, [
    { payUrl: `${OLD_URL}/x`, note: `"payUrl": "${OLD_URL}/"` },
  ]);
  const input = {
    name: 'Other',
    payoutAddress: newAddress(),
    environment: 'devnet',
    now: PLACE.now,
  } as const;
  const { merchant } = await db.transaction((tx) => createMerchant(tx, sourceSecrets, input));
  return { db, other: merchant.id };
}

const source = await filledSource();
const file = await exported(source.db);

async function exported(db: Database, id = SHOP): Promise<Buffer> {
  const output = new PassThrough();
  const merchant = { id, name: 'Shop' };
  const parts = { ...PLACE, db, secrets: sourceSecrets, merchant, publicUrl: OLD_URL, encrypt };
  const [bytes] = await Promise.all([buffer(output), exportMerchant(parts, output)]);
  return bytes;
}

const plainOf = async (bytes: Buffer) =>
  gunzipSync(await buffer(decrypted(Readable.from([bytes]), unlock))).toString('latin1');

const imported = (db: Database, bytes: Buffer, more: Partial<typeof PLACE> = {}) =>
  importMerchant(
    { ...PLACE, ...UNCHECKED, ...more, db, secrets, publicUrl: NEW_URL },
    decrypted(Readable.from([bytes]), unlock),
  );

/** Changes bytes of an export in which nothing is encrypted. */
async function changed(from: string, to: string): Promise<Buffer> {
  const plain = await plainOf(file);
  expect(plain).toContain(from);
  return gzipSync(Buffer.from(plain.replace(from, to), 'latin1'));
}

/** Every value of the merchant's own rows; those that are meant to change are compared apart. */
async function rowsOf(db: Database): Promise<Record<string, unknown>> {
  const contents: Record<string, unknown> = {};
  for (const { name, columns, owner } of listMovedTables(await listTables(db.pool))) {
    const sealed = SEALED_TABLES.find((table) => table.name === name)?.columns ?? [];
    const kept = columns.filter(
      (column) => ![...sealed, 'ordinal', 'settled_through', 'checkout_url', 'facts'].includes(column),
    );
    const whose =
      owner === 'destination'
        ? 'destination in (select destination from watched_accounts where merchant_id = $1)'
        : `${owner} = $1`;
    const isImport = name === 'audit_entries' ? `and action <> 'merchant.imported'` : '';
    const rows = await db.query<{ row: unknown }>(
      `select array[${kept.map((column) => `${column}::text`)}] as row from ${name} where ${whose} ${isImport} order by 1`,
      [SHOP],
    );
    if (name !== 'audit_heads') contents[name] = rows.map(({ row }) => row);
  }
  return contents;
}

async function destination(): Promise<Database> {
  const db = await testDatabase();
  // Its events are numbered already.
  await db.query(`select setval(pg_get_serial_sequence('events', 'ordinal')::regclass, 1000)`);
  return db;
}

test('every table goes along or stays behind for a reason, and one that says neither is refused', async () => {
  const tables = await listTables(source.db.pool);
  const moved = listMovedTables(tables).map(({ name }) => name);
  expect([...moved, ...Object.keys(STAYING_TABLES)].sort()).toEqual(tables.map(({ name }) => name).sort());
  expect(() => listMovedTables([{ name: 'new_table', columns: ['id'] }])).toThrow('new_table');
});

test('every row arrives as it was, with its secrets sealed again, its events in order and its pages here', async () => {
  const db = await destination();
  const before = await rowsOf(source.db);
  for (const [table, rows] of Object.entries(before)) expect([table, rows]).not.toEqual([table, []]);
  const summary = await imported(db, file);
  expect(summary).toMatchObject({ merchantId: SHOP, network: 'sandbox' });
  expect(await rowsOf(db)).toEqual(before);
  for (const { name, columns } of SEALED_TABLES.filter(({ name }) => name !== 'installation'))
    for (const column of columns)
      for (const { sealed } of await db.query<{ sealed: Buffer }>(
        `select ${column} as sealed from ${name} where ${column} is not null`,
      ))
        expect(secrets.open(sealed)).toBe(`${name} ${column}`);
  const ordinals = await db.query<{ ordinal: bigint }>('select ordinal from events order by sequence');
  expect(ordinals.map(({ ordinal }) => ordinal)).toEqual([1001n, 1002n]);
  expect(await db.query('select distinct ordinal from webhook_deliveries')).toEqual([{ ordinal: 1001n }]);
  const [next] = await db.query<{ next: bigint }>(
    `select nextval(pg_get_serial_sequence('events', 'ordinal')::regclass) as next`,
  );
  expect(next!.next).toBeGreaterThan(1002n);
  const urls = await db.query('select distinct checkout_url from invoices where checkout_url is not null');
  expect(urls).toEqual([{ checkoutUrl: `${NEW_URL}/x` }]);
  expect(
    await db.query(`select facts->>'payUrl' as url, facts->>'note' as note from emails limit 1`),
  ).toEqual([{ url: `${NEW_URL}/x`, note: `"payUrl": "${OLD_URL}/"` }]);
  await expect(imported(db, file)).rejects.toThrow(`the merchant ${SHOP} is here already`);
});

test('imported twice at once, it is here once, and the other import says that it is', async () => {
  const db = await destination();
  const both = await Promise.allSettled([imported(db, file), imported(db, file)]);
  const problems = both.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []));
  expect(problems).toEqual([`the merchant ${SHOP} is here already`]);
});

test('nothing of another merchant is in it, and no secret can be read without the key', async () => {
  const plain = await plainOf(file);
  const others = await source.db.query<{ id: string }>('select id from api_keys where merchant_id = $1', [
    source.other,
  ]);
  expect(others.length).toBe(1);
  for (const id of [source.other, others[0]!.id]) expect(plain).not.toContain(id);
  expect(plain).toContain(Buffer.from('merchants webhook_secret').toString('hex'));
  expect(file.toString('latin1')).not.toContain(SHOP);
  expect(await plainOf(await exported(source.db, source.other))).not.toContain(SHOP);
});

test('a payout address that another merchant here uses is refused; one that was typed and never used is free', async () => {
  const taken = await destination();
  const input = { name: 'Here', payoutAddress: null, environment: 'devnet', now: PLACE.now } as const;
  const { merchant } = await taken.transaction((tx) => createMerchant(tx, secrets, input));
  const address = 'p'.repeat(44);
  await taken.query(
    'insert into payout_addresses (merchant_id, address, created_at) values ($1, $2, now())',
    [merchant.id, address],
  );
  await taken.query('update merchants set payout_address = $2 where id = $1', [merchant.id, address]);
  const refusal = `the merchant ${merchant.id} of this installation has the payout address ${address}`;
  await expect(imported(taken, file)).rejects.toThrow(refusal);
  expect((await taken.query('select from merchants')).length).toBe(1);
  await taken.query('update merchants set payout_address = null where id = $1', [merchant.id]);
  await imported(taken, file);
  const holders = await taken.query('select merchant_id from payout_addresses where address = $1', [address]);
  expect(holders).toEqual([{ merchantId: SHOP }]);
});

describe('refused, and nothing of it stays:', async () => {
  const db = await destination();

  async function expectRefused(bytes: Buffer, reason: string | RegExp, more: Partial<typeof PLACE> = {}) {
    await expect(imported(db, bytes, more)).rejects.toThrow(reason);
    expect(await db.query('select from merchants')).toEqual([]);
    expect(await db.query('select from audit_entries')).toEqual([]);
  }

  test('one changed byte, or a missing end', async () => {
    for (const at of [0.02, 0.3, 0.6, 0.99].map((part) => Math.floor(file.length * part))) {
      const damaged = Buffer.from(file);
      damaged[at]! ^= 1;
      await expectRefused(damaged, /damaged|cut short|opens this|age/i);
      await expectRefused(file.subarray(0, at), /damaged|cut short|opens this|age/i);
    }
    await expectRefused(await changed('newline', 'newlime'), 'holds other bytes than were written');
  });

  test('another schema, and both are named', async () => {
    const [, schema] = /"schema":(\d+)/.exec(await plainOf(file))!;
    await expectRefused(
      await changed(`"schema":${schema}`, '"schema":7'),
      `the export is at schema 7, this installation at ${schema}`,
    );
  });

  test('another network, or another token', async () => {
    await expectRefused(file, 'the export is of sandbox', { network: 'mainnet' });
    await expectRefused(file, 'with the token mint', { mint: 'another' });
  });

  test('rows of somebody else in it', async () => {
    const row = (await plainOf(file)).split('\n').find((line) => line.startsWith(`${SHOP}\t`))!;
    await expectRefused(
      await changed(row, row.replace(SHOP, source.other)),
      'the export holds rows of another merchant',
    );
  });

  test('more events than there can be, or than it says: they would use up the numbers of everybody here', async () => {
    const last = /"lastOrdinal":"(\d+)"/.exec(await plainOf(file))!;
    const too = '"lastOrdinal":"9223372036854775807"';
    await expectRefused(await changed(last[0], too), 'more events than there can be');
    await expectRefused(await changed(last[0], '"lastOrdinal":"1"'), 'events that it does not count');
  });

  test('an audit log that was altered, even where all sums are right', async () => {
    const { db: altered } = await filledSource();
    await altered.query('alter table audit_entries disable trigger user');
    await altered.query(`update audit_entries set action = 'merchant.verified' where merchant_id = $1`, [
      SHOP,
    ]);
    await expectRefused(await exported(altered), 'the audit log in the export has been altered');
  });

  test('a merchant that has left this installation', async () => {
    const left = await destination();
    await imported(left, file);
    await left.query('update merchants set closed_at = now(), moved_to = $1', [OLD_URL]);
    await expect(imported(left, file)).rejects.toThrow(`has left this installation for ${OLD_URL}`);
  });
});

import { randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterEach, expect, test } from 'vitest';
import {
  type ExportedTable,
  type PlainExport,
  packExport,
  readExport,
} from '../../../test/support/altered-export.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { fillTables, readTables } from '../../../test/support/rows.ts';
import { newAddress } from '../../../test/support/service.ts';
import { createMerchant } from '../../accounts/merchants/create-merchant.ts';
import { secretBox } from '../../platform/lib/secret-box.ts';
import { SEALED_TABLES } from '../secret-keys/sealed-tables.ts';
import { decrypted, encryption, unlocking } from '../table-file/encryption.ts';
import { exportMerchant } from './export-merchant.ts';
import { importMerchant } from './import-merchant.ts';

const SHOP = '01900000-0000-7000-8000-000000000001';
const PLACE = { network: 'sandbox', mint: 'mint', now: new Date('2026-03-01T00:00:00Z'), onProgress() {} };
/** Rows as awkward as the database allows are no rows that a service writes. */
const UNCHECKED = { checkContents: async () => {} };
const URL_HERE = 'https://pay.example';
const secrets = secretBox(randomBytes(32));

const identity = await generateX25519Identity();
const plain = await exportedPlain();
const db = await testDatabase();
const victimAddress = newAddress();
const { merchant: victim } = await db.transaction((tx) =>
  createMerchant(tx, secrets, {
    ...{ name: 'Victim', payoutAddress: victimAddress, environment: 'devnet', now: PLACE.now },
  }),
);
await db.query(
  `insert into watched_accounts (destination, account, merchant_id, watch_since, watch_until, next_poll_at, next_rescan_at)
   values ('watched', 'account', $1, now(), now() + interval '1 day', now(), now())`,
  [victim.id],
);
await db.query(
  `insert into incoming_transfers (signature, destination, slot, block_time, received_base_units, has_failed, is_final, seen_at)
   values ('theirs', 'watched', 1, now(), 5, false, true, now())`,
);
const before = await readTables(db);

/** All of a merchant with a row in every table. */
async function exportedPlain(): Promise<Buffer> {
  const source = await testDatabase();
  await fillTables(source);
  for (const { name, columns } of SEALED_TABLES)
    for (const column of columns)
      await source.query(`update ${name} set ${column} = $1 where ${column} is not null`, [
        secrets.seal('x'),
      ]);
  await source.query('update webhook_deliveries set ordinal = 1');
  await source.query('update undispatched_events set ordinal = 2');
  await source.query('update webhook_endpoints set settled_through = 2');
  const output = new PassThrough();
  const encrypt = encryption({ recipients: [await identityToRecipient(identity)] });
  const merchant = { id: SHOP, name: 'Shop' };
  const parts = { ...PLACE, db: source, secrets, merchant, publicUrl: 'https://old.example', encrypt };
  const [bytes] = await Promise.all([buffer(output), exportMerchant(parts, output)]);
  return gunzipSync(await buffer(decrypted(Readable.from([bytes]), unlocking([identity], undefined))));
}

const imported = (file: Buffer) =>
  importMerchant({ ...PLACE, ...UNCHECKED, db, secrets, publicUrl: URL_HERE }, Readable.from([file]));

/** Expects that an import is refused and leaves the installation unchanged. */
async function expectRefused(change: (file: PlainExport) => void, reason: RegExp): Promise<void> {
  const file = readExport(plain);
  change(file);
  await expect(packExport(file).then(imported)).rejects.toThrow(reason);
}

afterEach(async () => expect(await readTables(db)).toEqual(before));

const tableOf = ({ tables }: PlainExport, name: string): ExportedTable =>
  tables.find((table) => table.name === name)!;

/** One column in every row, in a table whose values hold no tab or newline of their own. */
function setColumn(file: PlainExport, name: string, column: string, value: string): void {
  const table = tableOf(file, name);
  const place = table.columns.indexOf(column);
  expect(place).toBeGreaterThanOrEqual(0);
  const rows = table.rows.split('\n').slice(0, -1);
  table.rows = rows
    .map((row) => {
      const values = row.split('\t');
      values[place] = value;
      return `${values.join('\t')}\n`;
    })
    .join('');
}

/** The key of an attacker, as one of the victim's: its columns in an order that helps, `row` in place of the rows. */
function keyRow(file: PlainExport, begin: (own: string, other: string) => string): void {
  const table = tableOf(file, 'api_keys');
  const values = table.rows.split('\n')[0]!.split('\t');
  const named = table.columns.map((column, place) => ({ column, value: values[place]! }));
  const rest = named.filter(({ column }) => !['name', 'merchant_id'].includes(column));
  table.columns = ['name', 'merchant_id', ...rest.map(({ column }) => column)];
  table.rows = `${begin(SHOP, victim.id)}\t${rest.map(({ value }) => value).join('\t')}\n`;
}

test.each<[string, (own: string, other: string) => string]>([
  ['a tab behind a backslash, which is part of a value', (own, other) => `x\\\t${own}\t${other}`],
  ['a newline behind a backslash, which does not end a row', (own, other) => `x\\\n${own}\t${other}`],
  [
    'the id written with octal digits',
    (_, other) => `x\t\\${other.charCodeAt(0).toString(8)}${other.slice(1)}`,
  ],
  [
    'the id written with hex digits',
    (_, other) => `x\t\\x${other.charCodeAt(0).toString(16)}${other.slice(1)}`,
  ],
  ['the id in capitals and braces', (_, other) => `x\t{${other.toUpperCase()}}`],
  ['no id at all', () => 'x\t\\N'],
])('a key for another merchant: %s', async (_, begin) => {
  await expectRefused((file) => keyRow(file, begin), /another merchant|values for|null value/);
});

test('a row of another merchant is refused in every table that names its merchant', async () => {
  for (const { name, columns } of readExport(plain).tables) {
    const owner = name === 'merchants' ? 'id' : 'merchant_id';
    if (!columns.includes(owner)) continue;
    await expectRefused((file) => {
      const table = tableOf(file, name);
      expect([name, table.rows]).toEqual([name, expect.stringContaining(SHOP)]);
      table.rows = table.rows.replaceAll(SHOP, victim.id);
    }, /another merchant/);
  }
});

test.each([
  ['watched_accounts', 'destination', () => victimAddress, /another merchant|has the payout address/],
  ['watched_accounts', 'destination', () => 'watched', /another merchant/],
  ['payment_intents', 'destination_address', () => victimAddress, /has the payout address/],
  ['payout_addresses', 'address', () => victimAddress, /has the payout address/],
  ['incoming_transfers', 'destination', () => 'watched', /another merchant/],
  ['unreadable_transactions', 'destination', () => 'watched', /another merchant/],
  ['reserved_amounts', 'destination', () => 'watched', /another merchant/],
  ['payment_allocations', 'destination', () => 'watched', /another merchant|foreign key/],
])('%s.%s of another merchant', async (name, column, value, reason) => {
  await expectRefused((file) => setColumn(file, name, column, value()), reason);
});

test('money that another merchant received is counted for nobody else', async () => {
  await expectRefused((file) => {
    setColumn(file, 'payment_allocations', 'destination', 'watched');
    setColumn(file, 'payment_allocations', 'signature', 'theirs');
  }, /payments of another merchant, in payment_allocations|duplicate key|unique/);
});

test('an address that the file calls shared is another’s all the same', async () => {
  await expectRefused((file) => {
    setColumn(file, 'payout_addresses', 'verified_at', '\\N');
    setColumn(file, 'payout_addresses', 'is_shared', 't');
    setColumn(file, 'payout_addresses', 'address', victimAddress);
  }, /has the payout address/);
});

test('the hash of a key that is here', async () => {
  const [key] = await db.query<{ hash: Buffer }>('select hash from api_keys');
  await expectRefused((file) => {
    keyRow(file, (own) => `x\t${own}`);
    setColumn(file, 'api_keys', 'hash', `\\\\x${key!.hash.toString('hex')}`);
  }, /another merchant of this installation has something that must be unique \(api_keys/);
});

test.each<[string, (file: PlainExport) => void, RegExp]>([
  ['a table twice', (file) => file.tables.push(tableOf(file, 'logos')), /does not belong here/],
  [
    'a table of the installation',
    (file) => (tableOf(file, 'logos').name = 'installation'),
    /does not belong/,
  ],
  ['a table less', (file) => file.tables.splice(3, 1), /lacks tables|foreign key|another merchant/],
  ['a column twice', (file) => tableOf(file, 'logos').columns.fill('width'), /other columns of logos/],
  ['a column more', (file) => tableOf(file, 'logos').columns.push('x'), /other columns of logos/],
  [
    'columns that are none',
    (file) => (tableOf(file, 'logos').columns = 'x' as never),
    /other columns of logos/,
  ],
  ['a value of another type', (file) => setColumn(file, 'watched_accounts', 'cursor_slot', 'x'), /bigint/],
  ['values without a column', (file) => (tableOf(file, 'logos').rows = 'x\n'), /1 values for/],
  ['the end in the middle', (file) => (tableOf(file, 'logos').rows = '\\.\n'), /the data ends/],
  ['a row that never ends', (file) => (tableOf(file, 'logos').rows = 'x'.repeat(70e6)), /longer than a row/],
  [
    'an event with no number',
    (file) => setColumn(file, 'undispatched_events', 'ordinal', 'x'),
    /numbers an event/,
  ],
  ['no merchant', (file) => (file.header.merchant = undefined), /not the export of a merchant/],
  ['a merchant without an id', (file) => (file.header.merchant = { id: 7 }), /not the export of a merchant/],
  ['no address', (file) => (file.header.publicUrl = ['x']), /not the export of a merchant/],
  ['more events than there are', (file) => (file.header.lastOrdinal = '9999999999999'), /more events than/],
  ['no count of events', (file) => (file.header.lastOrdinal = 5), /more events than there can be/],
])('a file with %s', async (_, change, reason) => {
  await expectRefused(change, reason);
});

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { backupOf, inPieces } from '../../../test/support/backups.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { restore } from '../../operations/backup/restore.ts';
import type { Database } from '../db/database.ts';
import { checkInvariants, schemaInvariants } from '../db/invariant.ts';
import { CONTENT } from './content.ts';
import { auditInvariants } from './invariants.ts';
import { recordAudit } from './record.ts';
import { type ChainReport, type VerifyOptions, verifyAudit } from './verify-audit.ts';

const NOW = new Date('2026-03-01T12:00:00.123Z');

let db: Database;
let merchantId: string;
/** Its rows, in the order they were written. */
let ids: string[];

beforeEach(async () => {
  db = await testDatabase();
  merchantId = await newMerchant();
  for (let i = 1; i <= 6; i++) await record(merchantId, `step.${i}`);
  ids = await idsOf(merchantId);
});

async function newMerchant(): Promise<string> {
  const id = randomUUID();
  await db.query(`insert into merchants (id, webhook_secret, created_at) values ($1, '', now())`, [id]);
  return id;
}

const record = (merchant: string, action: string) =>
  db.transaction((tx) =>
    recordAudit(tx, { merchantId: merchant, actor: 'operator', action, detail: { name: 'é\n"' }, now: NOW }),
  );

async function idsOf(merchant: string, from = db): Promise<string[]> {
  const rows = await from.query<{ id: string }>(
    'select id from audit_entries where merchant_id = $1 order by sequence',
    [merchant],
  );
  return rows.map(({ id }) => id);
}

async function verify(options: VerifyOptions = {}, from = db): Promise<ChainReport[]> {
  return Array.fromAsync(verifyAudit(from, options));
}

/** Runs statements as somebody with all rights in the database could. */
async function tamper(...statements: string[]): Promise<void> {
  await db.query('alter table audit_entries disable trigger user');
  await db.query('alter table audit_heads disable trigger user');
  for (const statement of statements) await db.query(statement);
  await db.query('alter table audit_entries enable trigger user');
  await db.query('alter table audit_heads enable trigger user');
}

async function faultsOf(options: VerifyOptions = {}): Promise<[string, string | null][]> {
  const [report] = await verify({ ...options, merchantId });
  return report!.faults.map(({ kind, rowId }) => [kind, rowId]);
}

const at = (place: number) => `merchant_id = '${merchantId}' and sequence = ${place}`;
const shift = (from: number, by: number) => [
  `update audit_entries set sequence = sequence + 1000 where merchant_id = '${merchantId}' and sequence >= ${from}`,
  `update audit_entries set sequence = sequence - 1000 + ${by} where merchant_id = '${merchantId}' and sequence >= 1000`,
];
const forged = (sequence: number, hash: string) =>
  `insert into audit_entries (merchant_id, id, actor, action, created_at, sequence, hash)
   values ('${merchantId}', gen_random_uuid(), 'operator', 'forged', now(), ${sequence}, ${hash})`;

test('untouched rows verify, and the report names the head', async () => {
  const [report] = await verify();
  const [last] = await db.query<{ hash: Buffer }>(`select hash from audit_entries where ${at(6)}`);
  expect(report).toEqual({
    merchantId,
    rows: 6,
    head: last!.hash.toString('hex'),
    faults: [],
    unlisted: 0,
  });
  expect(await brokenInvariants()).toEqual([]);
});

async function brokenInvariants(): Promise<string[]> {
  const results = await checkInvariants(db, [...schemaInvariants, ...auditInvariants]);
  return results.flatMap(({ name, violations }) => (violations.length > 0 ? [name] : []));
}

test.each([99, 100, 101, 102, 150, 200, 201])(
  'untouched, %i rows are sound: where the newest ones begin does not matter',
  async (count) => {
    await db.query(
      `insert into audit_entries (merchant_id, id, actor, action, created_at)
       select $1, gen_random_uuid(), 'operator', 'step.' || i, $2 from generate_series(7, $3::int) i`,
      [merchantId, NOW, count],
    );
    expect(await idsOf(merchantId)).toHaveLength(count);
    expect(await brokenInvariants()).toEqual([]);
  },
);

describe('tampering is found and named', () => {
  test.each([
    [`actor = 'somebody'`],
    [`action = 'nothing'`],
    ['target_id = gen_random_uuid()'],
    [`detail = '{"name": "other"}'`],
    [`created_at = created_at + interval '1 microsecond'`],
    ['id = gen_random_uuid()'],
    [`hash = ''`],
  ])('a changed row: %s', async (change) => {
    await tamper(`update audit_entries set ${change} where ${at(3)}`);
    const changed = (await idsOf(merchantId))[2]!;
    expect((await faultsOf())[0]).toEqual(['changed', changed]);
    expect(await brokenInvariants()).toEqual(['audit-chain']);
  });

  test('a changed first row, and a changed last row', async () => {
    await tamper(`update audit_entries set actor = 'x' where ${at(1)} or ${at(6)}`);
    expect(await faultsOf()).toEqual([
      ['changed', ids[0]],
      ['changed', ids[5]],
    ]);
  });

  test('a changed row whose own hash was made to fit shows at the next one, or at the head', async () => {
    const before =
      '(select b.hash from audit_entries b where b.merchant_id = e.merchant_id and b.sequence = e.sequence - 1)';
    const change = (place: number) => [
      `update audit_entries set actor = 'x' where ${at(place)}`,
      `update audit_entries e set hash = sha256(${before} || convert_to(${CONTENT}, 'UTF8')) where ${at(place)}`,
    ];
    await tamper(...change(3));
    expect(await faultsOf()).toEqual([['changed', ids[3]]]);
    await tamper(...change(4), ...change(5), ...change(6));
    expect(await faultsOf()).toEqual([['head', ids[5]]]);
    expect(await brokenInvariants()).toEqual(['audit-chain']);
  });

  test('a deleted row', async () => {
    await tamper(`delete from audit_entries where ${at(1)} or ${at(4)}`);
    const [report] = await verify();
    expect(report!.faults).toEqual([
      { kind: 'missing', rowId: ids[1], text: 'before it row 1 is gone' },
      { kind: 'missing', rowId: ids[4], text: 'before it row 4 is gone' },
    ]);
    expect(await brokenInvariants()).toEqual(['audit-chain']);
  });

  test('a deleted row whose gap was closed', async () => {
    const head = `update audit_heads set sequence = 5 where merchant_id = '${merchantId}'`;
    await tamper(`delete from audit_entries where ${at(3)}`, ...shift(4, -1), head);
    expect(await faultsOf()).toEqual([['changed', ids[3]]]);
  });

  test('an inserted row', async () => {
    const head = `update audit_heads set sequence = 7 where merchant_id = '${merchantId}'`;
    await tamper(...shift(4, 1), forged(4, `sha256('x')`), head);
    expect(await faultsOf()).toEqual([['inserted', (await idsOf(merchantId))[3]]]);
  });

  test('a row inserted behind the head', async () => {
    await tamper(forged(7, `sha256('x')`));
    expect(await faultsOf()).toEqual([['inserted', (await idsOf(merchantId))[6]]]);
    expect(await brokenInvariants()).toEqual(['audit-chain']);
  });

  test('a row inserted before the first', async () => {
    await db.query('alter table audit_entries drop constraint audit_entries_sequence_check');
    await tamper(forged(0, `sha256('x')`));
    expect(await faultsOf()).toEqual([['inserted', (await idsOf(merchantId))[0]]]);
  });

  test('two rows that changed places', async () => {
    const swap = [
      `update audit_entries set sequence = 1000 where ${at(3)}`,
      `update audit_entries set sequence = 3 where ${at(4)}`,
      `update audit_entries set sequence = 4 where ${at(1000)}`,
    ];
    await tamper(...swap);
    const [report] = await verify();
    expect(report!.faults[0]).toEqual({
      kind: 'moved',
      rowId: ids[3],
      text: `it was written right after row ${ids[2]}, which is not where it is now`,
    });
    expect(report!.faults.map(({ kind, rowId }) => [kind, rowId])).toEqual([
      ['moved', ids[3]],
      ['moved', ids[2]],
      ['moved', ids[4]],
    ]);
  });

  test('a truncated end, also after more was written', async () => {
    await tamper(`delete from audit_entries where ${at(5)} or ${at(6)}`);
    const [report] = await verify();
    expect(report!.faults).toEqual([
      { kind: 'truncated', rowId: ids[3], text: 'rows 5 to 6 are gone from the end' },
    ]);
    expect(await brokenInvariants()).toEqual(['audit-chain']);
    await record(merchantId, 'later');
    expect(await faultsOf()).toEqual([['missing', (await idsOf(merchantId))[4]]]);
  });

  test('all rows gone', async () => {
    await tamper(`delete from audit_entries where merchant_id = '${merchantId}'`);
    expect(await faultsOf()).toEqual([['truncated', null]]);
  });

  test('end and head cut alike: only a hash kept elsewhere shows it', async () => {
    const kept = (await verify())[0]!.head!;
    const expected = new Map([[merchantId, [kept]]]);
    await record(merchantId, 'later');
    expect(await faultsOf({ expected })).toEqual([]);
    await tamper(
      `delete from audit_entries where sequence >= 6`,
      `update audit_heads h set (sequence, hash) = (select sequence, hash from audit_entries where ${at(5)})`,
    );
    expect(await faultsOf()).toEqual([]);
    expect(await faultsOf({ expected })).toEqual([['not_found', null]]);
  });

  test('another merchant’s rows are not blamed', async () => {
    const other = await newMerchant();
    await record(other, 'x');
    await tamper(`delete from audit_entries where ${at(2)}`);
    const broken = (await verify()).filter(({ faults }) => faults.length > 0);
    expect(broken.map((report) => report.merchantId)).toEqual([merchantId]);
  });

  test('a trigger that is switched off', async () => {
    await db.query('alter table audit_entries disable trigger audit_entries_chain');
    expect(await brokenInvariants()).toEqual(['audit-only-grows']);
  });
});

test('50 writers for 5 merchants at once leave 5 whole chains', async () => {
  const merchants = [merchantId, ...(await Promise.all([1, 2, 3, 4].map(newMerchant)))];
  const write = async (i: number) => {
    for (let n = 0; n < 6; n++) await record(merchants[i % 5]!, `writer.${i}`);
  };
  await Promise.all(Array.from({ length: 50 }, (_, i) => write(i)));
  const reports = await verify();
  expect(reports.flatMap(({ faults }) => faults)).toEqual([]);
  expect(reports.map(({ rows }) => rows).sort()).toEqual([60, 60, 60, 60, 66]);
});

test('a transaction holds up rows of its own merchant alone, and leaves nothing when it fails', async () => {
  const other = await newMerchant();
  const failing = db.transaction(async (tx) => {
    await recordAudit(tx, { merchantId, actor: 'a', action: 'undone', now: NOW });
    await record(other, 'meanwhile');
    throw new Error('undone');
  });
  await expect(failing).rejects.toThrow('undone');
  await record(merchantId, 'after');
  expect((await verify()).map(({ faults, rows }) => [faults, rows])).toEqual(
    expect.arrayContaining([
      [[], 1],
      [[], 7],
    ]),
  );
});

test('more rows than one reading takes, written by one statement', async () => {
  const actors = `insert into audit_entries (merchant_id, id, actor, action, created_at)
    select '${merchantId}', gen_random_uuid(), g::text, 'x', now() from generate_series(1, 1994) g`;
  await db.query(actors);
  let told = 0;
  const [report] = await verify({
    onRows: (count) => {
      told += count;
    },
  });
  expect(report).toMatchObject({ rows: 2000, faults: [] });
  expect(told).toBe(2000);
  await tamper(`delete from audit_entries where ${at(501)} or ${at(1000)}`);
  const later = await idsOf(merchantId);
  expect(await faultsOf()).toEqual([
    ['missing', later[500]],
    ['missing', later[998]],
  ]);
});

describe('a backup', () => {
  test('restores the chain, which continues from there', async () => {
    const before = await verify();
    const restored = await testDatabase();
    await restore(restored, inPieces(await backupOf(db)));
    expect(await verify({}, restored)).toEqual(before);
    await restored.transaction((tx) =>
      recordAudit(tx, { merchantId, actor: 'operator', action: 'later', now: NOW }),
    );
    expect(await verify({}, restored)).toMatchObject([{ rows: 7, faults: [] }]);
  });

  test('does not hide what was missing when it was made', async () => {
    await tamper(`delete from audit_entries where ${at(6)}`, forged(8, `sha256('x')`));
    const restored = await testDatabase();
    await restore(restored, inPieces(await backupOf(db)));
    const [report] = await verify({}, restored);
    expect(report!.faults.map(({ kind }) => kind)).toEqual(['truncated', 'inserted']);
  });
});

import { beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../../test/support/service.ts';
import { columnNameOf, fieldNameOf } from './column-names.ts';
import {
  arrayOf,
  bigint,
  boolean,
  bytes,
  date,
  hexHash,
  json,
  jsonText,
  nullable,
  text,
  timestamp,
  uuid,
  withDefault,
} from './columns.ts';
import type { Database } from './database.ts';
import { declaredTables, table } from './table.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

interface CatalogColumn {
  tableName: string;
  name: string;
  type: string;
  isNullable: boolean;
  isFilled: boolean;
  isGenerated: boolean;
}

/** A trigger before the insert gives the value. */
const IS_TRIGGERED = `exists (
  select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
   where t.tgrelid = c.oid and t.tgtype & 7 = 7 and p.prosrc like '%new.' || a.attname || ' := %')`;

const listCatalog = (db: Database) =>
  db.query<CatalogColumn>(
    `select c.relname as table_name, a.attname as name, format_type(a.atttypid, null) as type,
            not a.attnotnull as is_nullable, a.atthasdef or not a.attnotnull as is_filled,
            a.attidentity <> '' or a.attgenerated <> '' or ${IS_TRIGGERED} as is_generated
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
  );

test('every declared column is as the database has it, and what must be given is declared', async () => {
  const catalog = await listCatalog(service.db);
  const found = [...declaredTables.values()]
    .filter(({ name }) => !name.startsWith('pg_temp.'))
    .flatMap(({ name, declared }) =>
      Object.entries(declared).map(([field, { type, isNullable, filling }]) => [
        ...[`${name}.${columnNameOf(field)}`, type, isNullable ? 'null' : 'not null', filling],
      ]),
    );
  const expected = found.map(([path, ...rest]) => {
    const column = catalog.find((each) => `${each.tableName}.${each.name}` === path);
    if (!column) return [path, 'is missing'];
    const filling = column.isGenerated ? 'generated' : column.isFilled ? 'default' : 'given';
    return [
      path,
      column.type,
      column.isNullable ? 'null' : 'not null',
      rest[2] === 'given' ? rest[2] : filling,
    ];
  });
  expect(found).toEqual(expected);
  const given = catalog.filter(({ isFilled, isGenerated }) => !isFilled && !isGenerated);
  expect(
    given
      .filter(({ tableName, name }) => {
        const declared = declaredTables.get(tableName)?.declared;
        return declared && !(fieldNameOf(name) in declared);
      })
      .map(({ tableName, name }) => `${tableName}.${name}`),
  ).toEqual([]);
});

test('a list of values is the one of the check constraint', async () => {
  const rows = await service.db.query<{ tableName: string; name: string; rule: string }>(
    `select c.relname as table_name, a.attname as name, pg_get_constraintdef(k.oid) as rule
       from pg_constraint k join pg_class c on c.oid = k.conrelid
       join pg_attribute a on a.attrelid = c.oid and k.conkey = array[a.attnum] where k.contype = 'c'`,
  );
  const valuesOf = (tableName: string, name: string) =>
    rows
      .filter((row) => row.tableName === tableName && row.name === name)
      .map(({ rule }) =>
        [...rule.matchAll(/'([^']*)'::text/g)]
          .map((match) => match[1]!)
          .sort()
          .join(),
      );
  for (const { name, declared } of declaredTables.values()) {
    for (const [field, { values }] of Object.entries(declared)) {
      if (values) {
        const expected = [...values].map(String).sort().join();
        expect([name, field, valuesOf(name, columnNameOf(field))]).toEqual([
          name,
          field,
          expect.arrayContaining([expected]),
        ]);
      }
    }
  }
});

test('a table with a merchant has them in its key, so a plain update names them', () => {
  const loose = [...declaredTables.values()].filter(
    ({ declared, key }) => declared.merchantId?.isNullable === false && !key.includes('merchantId'),
  );
  expect(loose.map(({ name }) => name)).toEqual([]);
});

const samples = table(
  'pg_temp.samples',
  {
    id: uuid,
    name: text,
    count: withDefault(bigint),
    isOld: withDefault(boolean),
    tags: nullable(arrayOf(text)),
    facts: nullable(json<unknown>()),
    exactFacts: nullable(jsonText),
    day: nullable(date),
    at: nullable(timestamp),
    secret: nullable(bytes),
    tokenHash: nullable(hexHash),
  },
  ['id'],
);

const ID = '00000000-0000-4000-8000-00000000000';
const full = {
  id: `${ID}1`,
  name: 'a "quoted" \\ name, with ü',
  count: 9_223_372_036_854_775_807n,
  isOld: true,
  tags: ['a', 'b,c', '"', '{}', ''],
  facts: [{ a: [1, null, 'x'] }],
  exactFacts: '{"big": 9223372036854775807}',
  day: '2027-09-05',
  at: new Date('2027-09-05T01:02:03.456Z'),
  secret: Buffer.from([0, 255, 10, 92]),
  tokenHash: '00ff0a5c',
};
const empty = {
  ...{ id: `${ID}2`, name: '', count: 0n, isOld: false, tags: null, facts: null },
  ...{ exactFacts: null, day: null, at: null, secret: null, tokenHash: null },
};

const inTable = (work: (db: Parameters<Parameters<Database['transaction']>[0]>[0]) => Promise<void>) =>
  service.db.transaction(async (tx) => {
    await tx.query(`create temp table samples (id uuid primary key, name text not null, count bigint not null default 7,
      is_old boolean not null default false, tags text[], facts jsonb, exact_facts jsonb, day date, at timestamptz,
      secret bytea, token_hash bytea) on commit drop`);
    await work(tx);
  });

test('one row and many are stored as they are, whatever they hold', async () => {
  await inTable(async (tx) => {
    await samples.insert(tx, full);
    await samples.insert(tx, [empty, { ...full, id: `${ID}3` }]);
    expect(await samples.find(tx, { id: `${ID}1` })).toEqual(full);
    expect(await samples.find(tx, { id: `${ID}2` })).toEqual(empty);
    expect(await samples.lock(tx, { id: `${ID}3`, isOld: true })).toEqual({ ...full, id: `${ID}3` });
    expect(await samples.find(tx, { id: full.id, tokenHash: full.tokenHash })).toEqual(full);
    expect(await samples.find(tx, { id: `${ID}3`, isOld: false })).toBeUndefined();
    await samples.insert(tx, []);
    expect((await samples.list(tx, { isOld: true }, 'order by id desc')).map(({ id }) => id.at(-1))).toEqual([
      '3',
      '1',
    ]);
  });
});

test('what is left out has its default, in one row and in many; a conflict is left to the caller', async () => {
  await inTable(async (tx) => {
    await samples.insert(tx, { id: `${ID}1`, name: 'x' });
    await samples.insert(tx, [
      { id: `${ID}2`, name: 'y' },
      { id: `${ID}3`, name: 'z' },
    ]);
    expect((await samples.list(tx, { count: 7n })).length).toBe(3);
    expect(
      await samples.insert(tx, { id: `${ID}1`, name: 'x' }, 'on conflict do nothing returning id'),
    ).toEqual([]);
  });
});

test('an update changes only what is named, and a row is stored field by field', async () => {
  await inTable(async (tx) => {
    await samples.insert(tx, [full, empty]);
    await samples.update(tx, full, { name: 'new', facts: null, tags: undefined as never });
    expect(await samples.find(tx, { id: full.id })).toEqual({ ...full, name: 'new', facts: null });
    const row = { ...full, count: 1n, facts: null, name: 'not stored' };
    await samples.store(tx, row, ['count', 'facts']);
    expect(await samples.find(tx, { id: full.id })).toEqual({ ...full, name: 'new', count: 1n, facts: null });
    await samples.update(tx, full, {});
    expect(await samples.find(tx, { id: empty.id })).toEqual(empty);
  });
});

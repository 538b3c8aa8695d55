import { expect, test } from 'vitest';
import { withNextMigrations } from '../../../test/support/next-migrations.ts';
import { examineMigration } from './migration-locks.ts';
import { parseMigration } from './migrations.ts';
import { splitStatements } from './split-statements.ts';

/** The first makes every table, in a database that nobody works with yet. */
const bound = withNextMigrations.slice(1);

test.each(bound)(
  'migration $number ($name) locks no large table for long, and says whom it suits',
  (migration) => {
    expect(examineMigration(migration).problems).toEqual([]);
  },
);

const examine = (sql: string, marks = '-- @expands') =>
  examineMigration(parseMigration(97, 'sample', `${marks}\n${sql}`));

const ALONE = '-- @expands\n-- @each-statement-alone';

test.each([
  ['create index a on events (id)', 'concurrently'],
  ['create unique index a on events (id)', 'concurrently'],
  ['create index concurrently a on events (id)', '@each-statement-alone'],
  ['alter table events add check (id > 0)', 'not valid'],
  ['alter table events add constraint c foreign key (a) references b (id)', 'not valid'],
  ['alter table events add constraint c unique (a)', 'using an index'],
  ['alter table events add column a text, add column b text check (b > 1)', 'reads the whole table'],
  ['alter table events add column a uuid references b', 'reads the whole table'],
  ['alter table events add column a uuid not null default gen_random_uuid()', 'rewrites'],
  ['alter table events add column a bigint generated always as (b + 1) stored', 'rewrites'],
  ['alter table events alter column a type bigint', 'new column'],
  ['alter table events alter column a set not null', 'validated'],
  ['alter table events validate constraint c', '@each-statement-alone'],
  ['alter table events drop column a', 'older releases'],
  ['alter table events rename column a to b', 'older releases'],
  ['alter table events cluster on a', 'not known'],
  ['drop table events', 'older releases'],
  ['update events set a = 1', '@in-batches'],
  ['with old as (select 1) delete from events', '@in-batches'],
  ['insert into events (id) select 1', '@in-batches'],
  ['do $$ begin update events set a = 1; end $$', 'not known'],
  ['vacuum full events', 'not known'],
])('%s is refused', (sql, reason) => {
  expect(examine(`${sql};`).problems).toEqual([expect.stringContaining(reason)]);
});

test.each([
  ['alter table events add column a text, add column b timestamptz not null default now()', '-- @expands'],
  ["alter table events add column a text not null default 'check (x), unique'", '-- @expands'],
  ['alter table events add constraint c check (a > 0) not valid', '-- @expands'],
  ['create table a (id uuid primary key, b uuid references events); create index c on a (b)', '-- @expands'],
  [
    'create table a (id uuid); insert into a select id from events; alter table a add unique (id)',
    '-- @expands',
  ],
  ['alter table events drop column a', '-- @needs-schema 96'],
  ['alter table sums add unique (id)', '-- @expands\n-- @few-rows sums'],
  ['create unique index concurrently a on events (id)', ALONE],
  ['alter table events validate constraint c; alter table events alter column a set not null', ALONE],
  [
    'update events set a = 1 where id in (select id from events where a is null limit 500)',
    '-- @expands\n-- @in-batches',
  ],
])('%s is accepted', (sql, marks) => {
  expect(examine(`${sql};`, marks).problems).toEqual([]);
});

test('a file says whom it suits, and that the previous release is among them', () => {
  expect(examine('create table a (id uuid);', '').problems).toEqual([expect.stringContaining('@expands')]);
  expect(examine('drop table a;', '-- @needs-schema 97').problems).toEqual([
    expect.stringContaining('nobody runs yet'),
  ]);
  expect(() => examine('select 1;', '-- @expand')).toThrow('@expand is not known');
});

test('what each statement alone does can be done again, and a batch is one statement', () => {
  expect(examine('alter table events add column a text;', ALONE).problems).toEqual([
    expect.stringContaining('cannot run again'),
  ]);
  expect(examine('update a set b = 1; update c set d = 1;', '-- @expands\n-- @in-batches').problems).toEqual([
    expect.stringContaining('one statement'),
  ]);
});

test('the locks are those on tables that exist, with what is done under them', () => {
  const { locks } = examine(`create table a (b uuid references projects);
    create trigger t after insert on events for each row execute function f();
    alter table invoices add column c text;`);
  expect(locks).toEqual([
    { table: 'projects', mode: 'ShareRowExclusiveLock', work: 'moment' },
    { table: 'events', mode: 'ShareRowExclusiveLock', work: 'moment' },
    { table: 'invoices', mode: 'AccessExclusiveLock', work: 'moment' },
  ]);
});

test('statements are split where they end, not inside of quotes, bodies and comments', () => {
  const sql = `-- one; two
    select 'a;''b', "c;d"; /* e; */ create function f() as $body$ begin; end; -- g
    $body$; select 1 - 2 / 3`;
  expect(splitStatements(sql)).toEqual([
    `select 'a;''b', "c;d"`,
    expect.stringMatching(/^create function f\(\) as \$body\$ begin; end; -- g\s+\$body\$$/),
    'select 1 - 2 / 3',
  ]);
});
